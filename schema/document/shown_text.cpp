#include "schema/document/shown_text.h"

#include <algorithm>

#include <fmt/format.h>

#include "schema/document/source.h"

namespace knead::schema {
namespace {

bool is_in(char c, unsigned char low, unsigned char high) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= low && byte <= high;
}

/// Returns the length of the escape sequence at the beginning of a text, which begins with ESC
/// (ECMA-48): a control sequence, a string up to its terminator, or one with a single final byte.
std::size_t escape_length(std::string_view text) {
  std::size_t at = 1;
  if (at == text.size()) return at;
  if (std::string_view("]PX^_").find(text[at]) != text.npos) {
    const std::size_t end = text.find_first_of("\a\033", at);
    if (end == text.npos) return text.size();
    return text[end] == '\a' ? end + 1 : std::min(end + 2, text.size());
  }
  if (text[at] == '[') {
    ++at;
    while (at < text.size() && is_in(text[at], 0x30, 0x3F)) ++at;
  }
  while (at < text.size() && is_in(text[at], 0x20, 0x2F)) ++at;
  return at < text.size() && is_in(text[at], 0x30, 0x7E) ? at + 1 : at;
}

/// Returns whether a terminal shows a code point as a character, and in the order of the text.
bool is_shown(char32_t c) {
  const bool is_control = c < 0x20 || (c >= 0x7F && c < 0xA0);
  const bool turns_text =
      (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0x200E || c == 0x200F;
  const bool ends_line = c == 0x2028 || c == 0x2029;
  const bool is_surrogate = c >= 0xD800 && c < 0xE000;
  return !is_control && !turns_text && !ends_line && !is_surrogate && c <= 0x10FFFF;
}

/// Returns the length of the character at the beginning of a text, or 0 if it is not valid UTF-8 or
/// not safe to show.
std::size_t shown_length(std::string_view text) {
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};  // by length: no overlong forms
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return is_shown(first) ? 1 : 0;
  if (first < 0xC2 || first > 0xF4) return 0;
  const std::size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (length > text.size()) return 0;
  char32_t c = first & (0x7F >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_in(text[i], 0x80, 0xBF)) return 0;
    c = c << 6 | (static_cast<unsigned char>(text[i]) & 0x3F);
  }
  return c >= kLeast[length] && is_shown(c) ? length : 0;
}

/// Returns whether an escape sequence only sets colours and weights of letters: ESC [ … m.
bool sets_colour(std::string_view sequence) {
  return sequence.size() >= 3 && sequence[1] == '[' && sequence.back() == 'm' &&
         sequence.substr(2, sequence.size() - 3).find_first_not_of("0123456789;") ==
             std::string_view::npos;
}

}  // namespace

std::string shown_text(std::string_view line) {
  std::string out;
  while (!line.empty()) {
    std::size_t length = 1;
    if (line[0] == '\033') {
      length = escape_length(line);
    } else if (line[0] == '\t') {
      out += ' ';
    } else if (const std::size_t shown = shown_length(line)) {
      length = shown;
      out += line.substr(0, length);
    } else {
      out += '?';
    }
    line.remove_prefix(length);
  }
  return out;
}

std::string shown_lines(std::string_view text, bool keeps_colour) {
  std::string out;
  std::size_t from = 0;
  const auto show_up_to = [&](std::size_t end) {
    out += shown_text(text.substr(from, end - from));
    from = end;
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_colour = keeps_colour && text[at] == '\033' &&
                           sets_colour(text.substr(at, escape_length(text.substr(at))));
    if (text[at] != '\n' && !is_colour) continue;
    show_up_to(at);
    const std::size_t kept = is_colour ? escape_length(text.substr(at)) : 1;
    out += text.substr(at, kept);
    from = at + kept;
    at = from - 1;
  }
  show_up_to(text.size());
  return out;
}

std::string shortened(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t begin = most - most / 5, end = text.size() - most / 5;
  while (begin > 0 && !begins_code_point(text[begin])) --begin;
  while (end < text.size() && !begins_code_point(text[end])) ++end;
  return fmt::format("{}…({} bytes left out)…{}", text.substr(0, begin), end - begin,
                     text.substr(end));
}

}  // namespace knead::schema
