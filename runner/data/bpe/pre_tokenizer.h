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

/// Puts a text before each piece that does not begin with it, or before the first piece only.
struct Prefix {
  std::string text;
  bool is_for_first_only;  // applies only to the piece with the first character of the whole text
};

/// Replaces each space by a text.
struct ReplaceSpaces {
  std::string text;
};

/// Describes one step of a pre-tokenizer; the alternatives are all that read_pre_tokenizer() makes.
using PreTokenizerStep = std::variant<Splitter, Prefix, ReplaceSpaces, SpellBytes>;

/// Holds a piece of a text between two steps; a view of the text or of what a step has written.
struct Piece {
  std::string_view text;
  std::size_t head;  // see NormalText::head
};

/// Applies steps to a piece in order and returns the resulting pieces, in the order of the text and
/// without empty ones from splitting. New text is kept in `written`, which must outlive the pieces;
/// pieces that no step rewrites are views of the given one. Throws knead::Error if the steps
/// take more work than `budget` has.
std::vector<Piece> pre_tokenized(const std::vector<PreTokenizerStep>& steps, Piece piece,
                                 std::deque<std::string>& written, files::Budget& budget);

}  // namespace knead::data
