#pragma once

#include <string>
#include <variant>
#include <vector>

#include "runner/syntax/parser.h"

namespace knead::syntax {

/// The texts and replacement fields of an f-string in order, as FString has them.
using FormatParts = std::vector<std::variant<std::string, Replacement>>;

/// Appends text to `parts`, to the last part if that is text.
void append(FormatParts& parts, std::string text);
/// Appends the parts of another f-string to `parts`.
void append(FormatParts& parts, FormatParts others);

/// Parses the content of an f-string as Python 3.11 does: an expression in braces ends at the first
/// ':', '!', '=' or '}' outside of brackets and quotes. One object parses one string. Python 3.12
/// (PEP 701) also allows backslashes, comments and nested quotes of the same kind between the
/// braces; these are refused here, because a model must read the same in every version.
class FormatScan {
 public:
  /// `content` is the text between the quotes; `raw` keeps backslashes. Borrows `parser`, which
  /// parses the expressions.
  FormatScan(Parser& parser, Range content, bool raw);

  /// Returns texts and replacement fields in order. Throws Refusal at a syntax error.
  FormatParts parts() { return parts(0); }

 private:
  /// Parses a format at nesting depth 0 (the string) or 1 and 2 (format specifications).
  FormatParts parts(int depth);
  /// Parses text up to a brace, or through one doubled brace.
  std::string literal(int depth);
  /// Parses `{value=!r:format}`.
  Replacement replacement(int depth);
  /// Returns the range of the expression at the current position.
  Range expression_range();
  /// Skips a string inside the braces.
  void skip_quoted();
  /// Returns whether the expression in braces ends at the current position; `!=` and `==` do not
  /// end it.
  bool ends_expression() const;
  /// Parses `!r`, `!s` or `!a`.
  char conversion();
  /// Returns a byte from the current position on, or '\0' behind the content.
  char at(std::uint32_t ahead = 0) const;
  [[noreturn]] void refuse(Range range, std::string message, std::string remedy = "") const;

  Parser& parser_;
  std::string_view text_;
  std::uint32_t at_;
  std::uint32_t end_;
  bool raw_;
};

}  // namespace knead::syntax
