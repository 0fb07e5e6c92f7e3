#include "runner/syntax/format_scan.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/syntax/strings.h"

namespace knead::syntax {

void append(FormatParts& parts, std::string text) {
  if (text.empty()) return;
  auto* before = parts.empty() ? nullptr : std::get_if<std::string>(&parts.back());
  if (before) {
    *before += text;
  } else {
    parts.emplace_back(std::move(text));
  }
}

void append(FormatParts& parts, FormatParts others) {
  for (auto& other : others) {
    if (auto* text = std::get_if<std::string>(&other)) {
      append(parts, std::move(*text));
    } else {
      parts.push_back(std::move(other));
    }
  }
}

FormatScan::FormatScan(Parser& parser, Range content, bool raw)
    : parser_(parser),
      text_(parser.source_->text()),
      at_(content.begin),
      end_(content.end),
      raw_(raw) {}

char FormatScan::at(std::uint32_t ahead) const {
  return at_ + ahead < end_ ? text_[at_ + ahead] : '\0';
}

void FormatScan::refuse(Range range, std::string message, std::string remedy) const {
  parser_.refuse(range, std::move(message), std::move(remedy));
}

/// At depth 0 the text ends with the string, in a format specification at '}'.
FormatParts FormatScan::parts(int depth) {
  FormatParts all;
  while (at_ < end_ && !(depth > 0 && at() == '}')) {
    const bool is_doubled = depth == 0 && at(1) == '{';
    if (at() == '{' && !is_doubled) {
      all.emplace_back(replacement(depth));
    } else {
      append(all, literal(depth));
    }
  }
  return all;
}

/// A doubled brace stands for one: the text ends after its first half, and the second is skipped.
std::string FormatScan::literal(int depth) {
  const std::uint32_t begin = at_;
  const auto text_until_here = [&] { return string_value(parser_.source_, {begin, at_}, raw_); };
  for (; at_ < end_; ++at_) {
    // A backslash does not change the meaning of a brace.
    if (!raw_ && at() == '\\' && at(1) != '{' && at(1) != '}') {
      ++at_;
    } else if (at() == '{' || at() == '}') {
      if (depth > 0 || (at() == '{' && at(1) != '{')) break;
      if (at(1) != at()) refuse({at_, at_ + 1}, "a '}' alone in an f-string", "write '}}'");
      ++at_;
      std::string text = text_until_here();
      ++at_;
      return text;
    }
  }
  at_ = std::min(at_, end_);
  return text_until_here();
}

Replacement FormatScan::replacement(int depth) {
  const std::uint32_t brace = at_++;
  if (depth > 1) refuse({brace, brace + 1}, "a format within a format within a format");
  const Range range = expression_range();
  const std::string_view written = text_.substr(range.begin, range.end - range.begin);
  if (written.find_first_not_of(" \t\f\r\n") == written.npos) {
    refuse({brace, at_ + 1}, "there is no expression between the braces");
  }
  Replacement made;
  made.value = parser_.boxed(parser_.part(range));
  if (at() == '=') {
    ++at_;
    while (at() == ' ' || at() == '\t' || at() == '\f' || at() == '\r' || at() == '\n') ++at_;
    made.debug = string_value(parser_.source_, {range.begin, at_}, true);
  }
  if (at() == '!') made.conversion = conversion();
  const bool has_format = at() == ':';
  if (has_format) {
    ++at_;
    made.spec = parts(depth + 1);
  }
  if (at() != '}')
    refuse({brace, brace + 1}, "this '{' of an f-string is never closed",
           "write '}' where it ends, or '{{' for the character");
  ++at_;
  // As in Python, `{x=}` shows the representation unless a format or a conversion is written.
  if (!made.debug.empty() && !made.conversion && !has_format) made.conversion = 'r';
  return made;
}

Range FormatScan::expression_range() {
  const std::uint32_t begin = at_;
  for (int open = 0; at_ < end_; ++at_) {
    const char c = at();
    if (c == '\\') {
      refuse({at_, at_ + 1}, "no backslash can stand between the braces of an f-string",
             "give the value a name before");
    }
    if (c == '#') refuse({at_, at_ + 1}, "no '#' can stand between the braces of an f-string");
    if (open == 0 && ends_expression()) break;
    if (c == '\'' || c == '"') {
      skip_quoted();
    } else if (c == '(' || c == '[' || c == '{') {
      ++open;
    } else if (c == ')' || c == ']' || c == '}') {
      --open;
    } else if ((c == '!' || c == '=' || c == '<' || c == '>') && at(1) == '=') {
      ++at_;
    }
    if (open < 0) break;
  }
  at_ = std::min(at_, end_);
  return {begin, at_};
}

/// Stops at the last quote, because the calling loop advances by one. If the string has a
/// backslash, it stops before that, so that the loop refuses it.
void FormatScan::skip_quoted() {
  const StringEnd found = find_string_end(text_.substr(0, end_), at_);
  if (!found.closed) refuse({at_, at_ + 1}, "the string is never closed");
  const std::uint32_t last = static_cast<std::uint32_t>(found.end) - 1;
  const std::size_t backslash = text_.substr(0, last).find('\\', at_);
  at_ = backslash == text_.npos ? last : static_cast<std::uint32_t>(backslash) - 1;
}

bool FormatScan::ends_expression() const {
  const char c = at();
  return c == ':' || c == '}' || ((c == '!' || c == '=') && at(1) != '=');
}

char FormatScan::conversion() {
  ++at_;
  const char letter = at();
  if (letter != 'r' && letter != 's' && letter != 'a') {
    refuse({at_ - 1, at_ + 1}, "'!' is followed by r, s or a");
  }
  ++at_;
  return letter;
}

}  // namespace knead::syntax
