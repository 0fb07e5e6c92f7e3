#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "runner/data/bpe/json_part.h"

namespace knead::data {

// The steps by which the words of tokens become text again, as Hugging Face's tokenizers library
// has them (its module `decoders`). Each takes a list of words and returns one.

/// Joins words in letters for bytes and returns the bytes; a word in other letters stays.
struct JoinBytes {};
/// Replaces words <0xC3> by the byte; bytes that are not UTF-8 become U+FFFD each.
struct JoinByteTokens {};
/// Joins all words to one, with a text between them.
struct JoinWords {
  std::string between{};
};
/// Replaces a text in each word.
struct ReplaceInWords {
  std::string from;
  std::string to;
};
/// Removes a character from the beginning and the end of each word, at most so often.
struct StripWords {
  std::string character;
  std::size_t from_begin = 0;
  std::size_t from_end = 0;
};
/// Replaces a character by a space; at the beginning of the first word by nothing, if that was put
/// there.
struct SpaceWords {
  std::string character;
  bool was_put_first = true;
};
/// Replaces the suffix that ends a word, "</w>", by a space; in the last token by nothing.
struct SpaceSuffixes {
  std::string suffix;
};

using DecoderStep = std::variant<JoinBytes, JoinByteTokens, JoinWords, ReplaceInWords, StripWords,
                                 SpaceWords, SpaceSuffixes>;

/// Reads the decoder of a tokenizer.json as a list of steps; a Sequence becomes its steps. Throws
/// knead::Error with the place in the file if knead does not support a step.
std::vector<DecoderStep> read_decoder(const JsonPart& decoder);

/// Returns the text of tokens that have these words. It may end within a character.
std::string decoded(const std::vector<DecoderStep>& steps, std::vector<std::string> words);

}  // namespace knead::data
