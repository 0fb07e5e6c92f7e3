#include "runner/data/bpe/pattern_cursor.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "runner/data/bpe/character_class.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

struct Control {
  char letter;
  char32_t character;
};

constexpr std::array<Control, 7> kControls = {
    {{'t', '\t'}, {'n', '\n'}, {'r', '\r'}, {'f', '\f'}, {'v', '\v'}, {'a', '\a'}, {'e', 0x1B}}};

constexpr char32_t kLastCharacter = 0x10FFFF;

bool is_alphanumeric(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

bool is_hexadecimal(char c) { return std::isxdigit(static_cast<unsigned char>(c)) != 0; }

}  // namespace

bool PatternCursor::take(std::string_view text) {
  if (!rest().starts_with(text)) return false;
  at_ += text.size();
  return true;
}

char32_t PatternCursor::take_character() { return next_character(pattern_, at_); }

char32_t PatternCursor::take_escaped() {
  if (is_at_end()) refuse("a backslash");
  const char letter = peek();
  // An escaped sign stands for itself; an escaped letter or digit may be a construct.
  if (!is_alphanumeric(letter)) return take_character();
  const auto control = std::ranges::find(kControls, letter, &Control::letter);
  if (control != kControls.end()) {
    ++at_;
    return control->character;
  }
  if (take("u")) return take_hexadecimal(4, 4);
  if (!take("x")) refuse(fmt::format("\\{}", letter));
  if (!take("{")) return take_hexadecimal(1, 2);
  const char32_t character = take_hexadecimal(1, 6);
  if (!take("}")) refuse("\\x{ without }");
  return character;
}

char32_t PatternCursor::take_hexadecimal(std::size_t fewest, std::size_t most) {
  std::size_t digits = 0;
  while (digits < most && digits < rest().size() && is_hexadecimal(rest()[digits])) ++digits;
  if (digits < fewest) refuse("a character in too few hexadecimal digits");
  const auto character =
      static_cast<char32_t>(std::stoul(std::string(rest().substr(0, digits)), nullptr, 16));
  if (character > kLastCharacter || (character >= 0xD800 && character <= 0xDFFF))
    refuse("a number that is no character");
  at_ += digits;
  return character;
}

std::string PatternCursor::take_property(bool& is_negated) {
  const std::size_t end = rest().find('}');
  if (!take("{") || end == rest().npos) refuse("\\p without {NAME}");
  if (take("^")) is_negated = !is_negated;
  std::string name;
  while (peek() != '}') name += pattern_[at_++];
  ++at_;
  return name;
}

void PatternCursor::refuse(std::string_view what) const {
  constexpr std::size_t kShown = 200;
  const auto is_begin = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  std::size_t end = std::min(kShown, pattern_.size());
  while (end < pattern_.size() && !is_begin(pattern_[end])) ++end;
  const auto before = std::ranges::count_if(pattern_.substr(0, item_), is_begin);
  throw Error(fmt::format("the pattern '{}{}' has {} at character {}, which knead does not read",
                          pattern_.substr(0, end), end < pattern_.size() ? "…" : "", what,
                          before + 1));
}

std::string spelled(char32_t character) {
  const bool is_plain = character < 0x80 && is_alphanumeric(static_cast<char>(character));
  return is_plain ? std::string(1, static_cast<char>(character))
                  : fmt::format("\\x{{{:X}}}", static_cast<std::uint32_t>(character));
}

std::string one_of(const PatternCursor& cursor, const std::string& name, bool is_negated) {
  const auto items = find_class_items(name);
  if (items) return fmt::format("[{}{}]", is_negated ? "^" : "", *items);
  const auto pattern = find_character_class(name);
  if (!pattern) cursor.refuse(fmt::format("\\p{{{}}}", name));
  return is_negated ? fmt::format("(?:(?!{})(?s:.))", *pattern) : *pattern;
}

}  // namespace knead::data
