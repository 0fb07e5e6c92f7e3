#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "runner/syntax/tree.h"

namespace knead::syntax {

/// Returns whether letters may precede a quote: r, b, u, f, br, rb, fr, rf in either case.
bool is_string_prefix(std::string_view letters);

/// The end of a string literal. If the literal is not closed, `end` is the line end of a string in
/// single quotes, or the end of the text.
struct StringEnd {
  std::size_t end = 0;  // byte offset after the closing quote
  bool closed = false;
};

/// Finds the end of the string literal whose first quote is at byte `quote`, a string of one line
/// or in triple quotes. A backslash keeps the character behind it from ending the string, also in a
/// raw string. Does not look at the prefix.
StringEnd find_string_end(std::string_view text, std::size_t quote);

/// The prefix and the content of a string literal. `u` has no effect and is not recorded.
struct StringLiteral {
  bool raw = false;
  bool bytes = false;
  bool formatted = false;
  Range content;  // between the quotes
};

/// Splits a closed string token into prefix and content. `text` is the whole text that the range
/// refers to.
StringLiteral string_literal(std::string_view text, Range token);

/// Returns the text that part of a literal stands for as UTF-8: line ends become line feeds, and
/// escapes are replaced unless `raw`. As in Python, an unknown escape such as `\d` keeps its
/// backslash, and a backslash at the end of a line removes both.
///
/// Throws Refusal: model-syntax for `\x`, `\u` or `\U` without enough digits or beyond U+10FFFF,
/// model-refused for `\N{…}` and for half a surrogate pair, which UTF-8 cannot encode.
std::string string_value(const std::shared_ptr<const schema::Source>& source, Range part, bool raw);

/// Returns the bytes that part of a bytes literal stands for, by the rules of string_value(). As in
/// Python, `\u`, `\U` and `\N` are not escapes of bytes, and an octal escape counts modulo 256.
///
/// Throws Refusal (model-syntax) for `\x` without two digits and for a character that is not ASCII.
std::string bytes_value(const std::shared_ptr<const schema::Source>& source, Range part, bool raw);

}  // namespace knead::syntax
