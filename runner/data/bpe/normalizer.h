#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "runner/data/bpe/normal_forms.h"
#include "runner/data/bpe/splitter.h"

namespace knead::data {

/// Replaces each match of a pattern by a text.
struct Replace {
  Splitter pattern;
  std::string content;
};

/// Puts a text before a text that is not empty.
struct Prepend {
  std::string text;
};

/// Removes white space at the beginning, at the end, or at both.
struct Strip {
  bool left;
  bool right;
};

/// Converts each character to lower case.
struct LowerCased {};

/// Puts spaces around Chinese characters.
struct SpaceIdeographs {};

/// Replaces each byte by its letter, as letters_of_bytes() does.
struct SpellBytes {};

using NormalizerStep =
    std::variant<NormalForm, Replace, Prepend, Strip, LowerCased, SpaceIdeographs, SpellBytes>;

/// Holds a text between two steps.
struct NormalText {
  std::string text;
  std::size_t head;  // bytes at the beginning that come from the first character of the whole text
};

/// Applies steps to a text in order. Throws knead::Error if the text grows beyond a bound or a
/// pattern takes too long.
NormalText normalized(const std::vector<NormalizerStep>& steps, NormalText text);

}  // namespace knead::data
