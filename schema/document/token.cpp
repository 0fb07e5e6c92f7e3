#include "schema/document/token.h"

#include <algorithm>

namespace knead::schema {
namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

bool ends_word(char c) { return is_space(c) || c == ',' || c == ']' || c == '}'; }

std::size_t word_end(std::string_view text, std::size_t at) {
  while (at < text.size() && !ends_word(text[at])) ++at;
  return at;
}

Token double_quoted(std::string_view text, std::size_t at) {
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      return {i + 1};
    }
  }
  return {text.size(), false};
}

Token single_quoted(std::string_view text, std::size_t at) {
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] != '\'') continue;
    if (i + 1 == text.size() || text[i + 1] != '\'') return {i + 1};
    ++i;
  }
  return {text.size(), false};
}

/// Returns the end of the first line of a plain scalar that continues on the next line, or of the
/// header of a block scalar. A comment does not belong to it.
std::size_t first_line_end(std::string_view text, std::size_t at) {
  std::size_t end = std::min(text.find('\n', at), text.size());
  const std::size_t comment = text.substr(at, end - at).find(" #");
  if (comment != text.npos) end = at + comment;
  while (end > at + 1 && is_space(text[end - 1])) --end;
  return std::max(end, at + 1);
}

bool is_flow_mark(char c) { return c == ',' || c == '[' || c == ']' || c == '{' || c == '}'; }

/// Returns whether a plain scalar inside brackets ends before byte `at`, which it does not begin
/// with. A line end counts too, because after an open bracket the next line may be a new key.
bool ends_plain(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (c == '#') return is_space(text[at - 1]);
  if (c != ':') return c == '\n' || is_flow_mark(c);
  return at + 1 == text.size() || is_space(text[at + 1]) || is_flow_mark(text[at + 1]);
}

/// Returns the end of the token inside brackets that begins at byte `at`: a scalar, a comment, a
/// property, or one character. A quote opens a text only as the first character of a token.
std::size_t flow_token_end(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (c == '"') return double_quoted(text, at).end;
  if (c == '\'') return single_quoted(text, at).end;
  if (c == '#') return std::min(text.find('\n', at), text.size());
  if (c == '&' || c == '!' || c == '*') return word_end(text, at + 1);
  const bool is_sign = (c == '-' || c == '?') && at + 1 < text.size() && is_space(text[at + 1]);
  std::size_t end = at + 1;
  if (is_sign || c == ':' || is_space(c) || is_flow_mark(c)) return end;
  while (end < text.size() && !ends_plain(text, end)) ++end;
  return end;
}

}  // namespace

Token scalar_token(std::string_view text, std::size_t at, std::string_view value) {
  if (at >= text.size()) return {at};
  if (text[at] == '"') return double_quoted(text, at);
  if (text[at] == '\'') return single_quoted(text, at);
  // A value that differs from the text was folded from several lines, or is a block scalar.
  if (!value.empty() && text.substr(at, value.size()) == value) return {at + value.size()};
  return {first_line_end(text, at)};
}

bool bracket_closes(std::string_view text, std::size_t at) {
  std::size_t open = 0;
  for (std::size_t i = at; i < text.size(); i = flow_token_end(text, i)) {
    if (text[i] == '[' || text[i] == '{')
      ++open;
    else if ((text[i] == ']' || text[i] == '}') && --open == 0)
      return true;
  }
  return false;
}

std::size_t alias_end(std::string_view text, std::size_t at) { return word_end(text, at + 1); }

std::size_t skip_properties(std::string_view text, std::size_t at) {
  while (at < text.size() && (text[at] == '&' || text[at] == '!')) {
    at = word_end(text, at);
    while (at < text.size() && is_space(text[at])) ++at;
  }
  return std::min(at, text.size());
}

std::size_t null_word_end(std::string_view text, std::size_t at) {
  if (at >= text.size()) return at;
  if (text[at] == '~') return at + 1;
  for (const std::string_view word : {"null", "Null", "NULL"}) {
    if (text.substr(at, word.size()) == word) return at + word.size();
  }
  return at;
}

bool is_null_word(std::string_view text, std::size_t at) {
  const std::size_t end = null_word_end(text, at);
  return end > at && (end == text.size() || text[end] == ':' || ends_word(text[end]));
}

std::string without_leading_zeros(std::string_view number) {
  std::string sign;
  if (!number.empty() && (number[0] == '-' || number[0] == '+')) {
    sign = number.substr(0, 1);
    number.remove_prefix(1);
  }
  while (number.size() > 1 && number[0] == '0' && number[1] >= '0' && number[1] <= '9')
    number.remove_prefix(1);
  return sign + std::string(number);
}

}  // namespace knead::schema
