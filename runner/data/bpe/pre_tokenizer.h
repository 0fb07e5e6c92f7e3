#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "runner/data/bpe/normalizer.h"
#include "runner/data/bpe/splitter.h"

namespace knead::data {

/// Puts a text before pieces that do not begin with it.
struct Prefix {
  std::string text;
  bool is_for_first_only;  // only where a piece begins with what the whole text begins with
};

/// Puts a text in the place of each space.
struct ReplaceSpaces {
  std::string text;
};

using PreTokenizerStep = std::variant<Splitter, Prefix, ReplaceSpaces, SpellBytes>;

/// A piece of a text on its way through the steps.
struct Piece {
  std::string_view text;
  std::size_t head;  // as NormalText has it
};

/// What steps make of a piece, one after the other. What they write is kept in `written`. Throws
/// knead::Error where a pattern takes too long.
std::vector<Piece> pre_tokenized(const std::vector<PreTokenizerStep>& steps, Piece piece,
                                 std::deque<std::string>& written);

}  // namespace knead::data
