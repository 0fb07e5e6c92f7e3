#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "runner/syntax/tree.h"

namespace knead::syntax {

/// Returns whether letters may precede a quote: r, b, u, f, br, rb, fr, rf in either case.
bool is_string_prefix(std::string_view letters);

/// The end of a string literal.
struct StringEnd {
  std::size_t end = 0;  // byte offset after the closing quote
  bool closed = false;
};

/// Finds the end of the string literal whose first quote is at byte `quote`.
StringEnd find_string_end(std::string_view text, std::size_t quote);

/// The prefix and the content of a string literal.
struct StringLiteral {
  bool raw = false;
  bool bytes = false;
  bool formatted = false;
  Range content;  // between the quotes
};

/// Splits a string token into prefix and content.
StringLiteral string_literal(std::string_view text, Range token);

/// Returns the text that part of a literal stands for: line ends become line feeds, and escapes are
/// replaced unless `raw`. Throws Refusal at an invalid escape.
std::string string_value(const std::shared_ptr<const schema::Source>& source, Range part, bool raw);

}  // namespace knead::syntax
