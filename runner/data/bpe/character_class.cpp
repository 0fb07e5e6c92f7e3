#include "runner/data/bpe/character_class.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>
#include <utf8proc.h>

#include "runner/data/bpe/character_tables.h"

namespace knead::data {
namespace {

const CharacterClass* find(std::string_view name) {
  const auto classes = character_classes();
  const auto found = std::ranges::find(classes, name, &CharacterClass::name);
  return found == classes.end() ? nullptr : &*found;
}

/// Writes code points such as "1C89-1C8A A7CE" as items of PCRE2 brackets.
std::string items_of(std::string_view ranges) {
  std::string items;
  for (const char c : ranges) {
    if (items.empty()) items = "\\x{";
    if (c == ' ') {
      items += "}\\x{";
    } else if (c == '-') {
      items += "}-\\x{";
    } else {
      items += c;
    }
  }
  return items.empty() ? items : items + "}";
}

}  // namespace

std::optional<std::string> find_character_class(std::string_view name) {
  const CharacterClass* known = find(name);
  if (!known) return std::nullopt;
  const std::string all = fmt::format("[{}{}]", known->nearest, items_of(known->added));
  // Brackets of PCRE2 cannot take characters away, so a lookahead in front of them does.
  return known->taken.empty() ? all : fmt::format("(?:(?![{}]){})", items_of(known->taken), all);
}

std::optional<std::string> find_class_items(std::string_view name) {
  const CharacterClass* known = find(name);
  if (!known || !known->taken.empty()) return std::nullopt;
  return std::string(known->nearest) + items_of(known->added);
}

std::string character_class(std::string_view name) {
  const auto pattern = find_character_class(name);
  assert(pattern);
  return *pattern;
}

std::string class_items(std::string_view name) {
  const auto items = find_class_items(name);
  assert(items);
  return *items;
}

bool is_white_space(char32_t character) {
  switch (character) {
    case 0x20:
    case 0x85:
    case 0xA0:
    case 0x1680:
    case 0x2028:
    case 0x2029:
    case 0x202F:
    case 0x205F:
    case 0x3000: return true;
    default:
      return (character >= 0x09 && character <= 0x0D) ||
             (character >= 0x2000 && character <= 0x200A);
  }
}

char32_t next_character(std::string_view text, std::size_t& at) {
  utf8proc_int32_t character = 0;
  const utf8proc_ssize_t size =
      utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + at,
                       static_cast<utf8proc_ssize_t>(text.size() - at), &character);
  assert(size > 0);
  at += static_cast<std::size_t>(std::max<utf8proc_ssize_t>(size, 1));
  return static_cast<char32_t>(character);
}

std::size_t begin_of_last(std::string_view text, std::size_t at) {
  do {
    --at;
  } while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80);
  return at;
}

void append_character(std::string& text, char32_t character) {
  utf8proc_uint8_t bytes[4];
  const utf8proc_ssize_t size =
      utf8proc_encode_char(static_cast<utf8proc_int32_t>(character), bytes);
  text.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
}

}  // namespace knead::data
