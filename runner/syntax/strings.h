#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "runner/syntax/tree.h"

namespace knead::syntax {

/// Whether letters may stand before a quote: r, b, u, f, br, fr in either case and order.
bool is_string_prefix(std::string_view letters);

struct StringEnd {
  std::size_t end = 0;  // behind the last quote
  bool closed = false;
};

/// Where the string ends whose first quote is at byte `quote`.
StringEnd find_string_end(std::string_view text, std::size_t quote);

/// A string literal taken apart.
struct StringLiteral {
  bool raw = false;
  bool bytes = false;
  bool formatted = false;
  Range content;  // between the quotes
};

StringLiteral string_literal(std::string_view text, Range token);

/// What part of a literal stands for: line ends are line feeds; escapes are replaced unless it is
/// raw. Throws Refusal at an escape that is none.
std::string string_value(const std::shared_ptr<const schema::Source>& source, Range part, bool raw);

}  // namespace knead::syntax
