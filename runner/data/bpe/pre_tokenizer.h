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

/// Puts a text before each piece that does not begin with it.
struct Prefix {
  std::string text;
  bool is_for_first_only;  // applies only to the piece with the first character of the whole text
};

/// Replaces each space by a text.
struct ReplaceSpaces {
  std::string text;
};

using PreTokenizerStep = std::variant<Splitter, Prefix, ReplaceSpaces, SpellBytes>;

/// Holds a piece of a text between two steps.
struct Piece {
  std::string_view text;
  std::size_t head;  // see NormalText::head
};

/// Applies steps to a piece in order and returns the resulting pieces. New text is kept in
/// `written`, which must outlive the pieces. Throws knead::Error if a pattern takes too long.
std::vector<Piece> pre_tokenized(const std::vector<PreTokenizerStep>& steps, Piece piece,
                                 std::deque<std::string>& written);

}  // namespace knead::data
