#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "runner/data/bpe/normal_forms.h"
#include "runner/data/bpe/splitter.h"

namespace knead::data {

/// Replaces each match of a pattern by a text; an empty text removes the matches.
struct Replace {
  Splitter pattern;
  std::string content;
};

/// Puts a text before a text, once, unless that is empty.
struct Prepend {
  std::string text;
};

/// Removes Unicode's white space at the beginning, at the end, or at both.
struct Strip {
  bool left;
  bool right;
};

/// Converts each character to lower case.
struct LowerCased {};

/// Puts a space before and after each Chinese character, as BERT's normalizer does.
struct SpaceIdeographs {};

/// Replaces each byte by its letter, as letters_of_bytes() does.
struct SpellBytes {};

/// Describes one step of a normalizer; the alternatives are all that read_normalizer() makes.
using NormalizerStep =
    std::variant<NormalForm, Replace, Prepend, Strip, LowerCased, SpaceIdeographs, SpellBytes>;

/// Holds a text between two steps. `head` follows the first character of the whole text through the
/// steps, because some prefixes are only put before it.
struct NormalText {
  std::string text;
  std::size_t head;  // bytes at the beginning that come from the first character of the whole text
};

/// Applies steps to a text in order. `text` is UTF-8, and so is the result. Throws knead::Error if
/// the text grows beyond 64 times its size and 64 KiB more, which only a damaged file asks for, or
/// if the steps take more work than `budget` has.
NormalText normalized(const std::vector<NormalizerStep>& steps, NormalText text,
                      files::Budget& budget);

}  // namespace knead::data
