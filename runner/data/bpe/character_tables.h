#pragma once

#include <span>
#include <string_view>

namespace knead::data {

/// A class of characters as the tokenizers library has it, told by how it differs from a class of
/// PCRE2. The library's steps have tables of several versions of Unicode, of which PCRE2's is none.
struct CharacterClass {
  std::string_view name;     // "Lu", "Han", "white space"
  std::string_view nearest;  // what PCRE2 reads between brackets
  std::string_view added;    // what the library has besides: "1C89-1C8A A7CE"
  std::string_view taken;    // what it has not
};

/// Code points from `first` to `last`.
struct CharacterRange {
  char32_t first;
  char32_t last;
};

/// A character and its lower case, in UTF-8.
struct LowerCase {
  char32_t character;
  std::string_view lower;
};

std::span<const CharacterClass> character_classes();

/// What the library leaves as it is in every normal form, and utf8proc does not; in order.
std::span<const CharacterRange> unnormalized_characters();

/// What the library has another lower case for than utf8proc; in order.
std::span<const LowerCase> other_lower_cases();

}  // namespace knead::data
