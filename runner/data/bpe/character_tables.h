#pragma once

#include <span>
#include <string_view>

namespace knead::data {

/// Describes a class of characters of the tokenizers library by its difference from a class of
/// PCRE2. The library's steps use tables of several Unicode versions, none of which is PCRE2's.
struct CharacterClass {
  std::string_view name;     // "Lu", "Han", "white space"
  std::string_view nearest;  // the class in PCRE2 brackets
  std::string_view added;    // code points only in the library's class: "1C89-1C8A A7CE"
  std::string_view taken;    // code points only in PCRE2's class
};

/// Describes the code points from `first` to `last`, both included.
struct CharacterRange {
  char32_t first;
  char32_t last;
};

/// Pairs a character with its lower case in UTF-8.
struct LowerCase {
  char32_t character;
  std::string_view lower;
};

/// Returns all classes that steps and patterns of a tokenizer may use. The tables live as long as
/// the program.
std::span<const CharacterClass> character_classes();

/// Returns the characters that utf8proc changes in a normal form and the library leaves unchanged
/// in all of them, in ascending order.
std::span<const CharacterRange> unnormalized_characters();

/// Returns the characters whose lower case differs between the library and utf8proc, in ascending
/// order.
std::span<const LowerCase> other_lower_cases();

}  // namespace knead::data
