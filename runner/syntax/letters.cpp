#include "runner/syntax/letters.h"

#include <algorithm>
#include <array>

#include "schema/document/source.h"

namespace knead::syntax {
namespace {

struct Letters {
  char32_t first, last;
};

// Latin, Greek, Cyrillic, kana, Han and Hangul letters that NFKC leaves unchanged. The gaps are
// letters that it replaces, such as U+0132 (a ligature) and U+017F (the long s).
constexpr std::array<Letters, 24> kLetters{{
    {0x00C0, 0x00D6}, {0x00D8, 0x00F6}, {0x00F8, 0x0131}, {0x0134, 0x013E},   {0x0141, 0x0148},
    {0x014A, 0x017E}, {0x0386, 0x0386}, {0x0388, 0x038A}, {0x038C, 0x038C},   {0x038E, 0x03A1},
    {0x03A3, 0x03CF}, {0x0400, 0x0481}, {0x048A, 0x052F}, {0x3005, 0x3005},   {0x3041, 0x3096},
    {0x309D, 0x309E}, {0x30A1, 0x30FA}, {0x30FC, 0x30FE}, {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},
    {0xAC00, 0xD7A3}, {0x1E00, 0x1E99}, {0x1E9C, 0x1EFF}, {0x20000, 0x2A6DF},
}};

bool is_letter(char32_t c) {
  if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  return std::any_of(kLetters.begin(), kLetters.end(),
                     [c](Letters range) { return c >= range.first && c <= range.last; });
}

}  // namespace

char32_t first_character(std::string_view utf8) {
  const std::size_t length = schema::sequence_length(utf8, 0);
  const auto first = static_cast<unsigned char>(utf8[0]);
  char32_t c = length == 1 ? first : first & (0xFF >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    c = (c << 6) | (static_cast<unsigned char>(utf8[i]) & 0x3F);
  }
  return c;
}

std::string as_utf8(char32_t c) {
  const auto byte = [](char32_t bits) { return static_cast<char>(bits); };
  if (c < 0x80) return {byte(c)};
  if (c < 0x800) return {byte(0xC0 | c >> 6), byte(0x80 | (c & 0x3F))};
  if (c < 0x10000) {
    return {byte(0xE0 | c >> 12), byte(0x80 | (c >> 6 & 0x3F)), byte(0x80 | (c & 0x3F))};
  }
  return {byte(0xF0 | c >> 18), byte(0x80 | (c >> 12 & 0x3F)), byte(0x80 | (c >> 6 & 0x3F)),
          byte(0x80 | (c & 0x3F))};
}

std::size_t name_length(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const char32_t c = first_character(text.substr(at));
    const bool is_digit = c >= '0' && c <= '9';
    if (!is_letter(c) && !(is_digit && at > 0)) break;
    at += schema::sequence_length(text, at);
  }
  return at;
}

}  // namespace knead::syntax
