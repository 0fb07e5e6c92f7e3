#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "runner/data/bpe/normal_forms.h"
#include "runner/data/bpe/splitter.h"

namespace knead::data {

/// Puts a text in the place of each match of a pattern.
struct Replace {
  Splitter pattern;
  std::string content;
};

/// Puts a text before one that is not empty.
struct Prepend {
  std::string text;
};

/// Takes white space away where a text begins, ends, or both.
struct Strip {
  bool left;
  bool right;
};

struct LowerCased {};

/// Puts spaces around Chinese characters.
struct SpaceIdeographs {};

/// Makes a letter of each byte, as bytes_of_letters() has them.
struct SpellBytes {};

using NormalizerStep =
    std::variant<NormalForm, Replace, Prepend, Strip, LowerCased, SpaceIdeographs, SpellBytes>;

/// A text on its way through the steps.
struct NormalText {
  std::string text;
  std::size_t head;  // how many bytes at its beginning the first character of the whole text became
};

/// What steps make of a text, one after the other. Throws knead::Error where a text grows without
/// bounds, or a pattern takes too long.
NormalText normalized(const std::vector<NormalizerStep>& steps, NormalText text);

}  // namespace knead::data
