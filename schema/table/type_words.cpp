#include "schema/table/type_words.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "schema/document/count_words.h"
#include "schema/document/scalar.h"
#include "schema/table/format.h"

namespace knead::schema {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return out;
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

/// Suggests true or false for words that other formats use as booleans.
std::string boolean_hint(const Node& node) {
  const std::string word = lower(node.text);
  if (is_one_of(word, {"yes", "on", "true", "1", "y", "enable", "enabled"})) return "write true";
  if (is_one_of(word, {"no", "off", "false", "0", "n", "disable", "disabled"}))
    return "write false";
  return "write true or false";
}

/// Suggests how to write a number that is in quotes or has separators, such as 1_000.
std::string number_hint(const Node& node) {
  Node plain = text_node(node.text, {});
  const bool reads = !resolve_plain(plain) &&
                     (plain.kind == Node::Kind::integer || plain.kind == Node::Kind::number);
  if (reads && node.kind == Node::Kind::text && !node.plain) return "leave out the quotes";
  std::string digits = node.text;
  std::erase_if(digits, [](char c) { return c == '_' || c == ',' || c == ' '; });
  Node joined = text_node(digits, {});
  if (digits != node.text && !resolve_plain(joined) && joined.kind == Node::Kind::integer) {
    return fmt::format("write {}", digits);
  }
  return "";
}

}  // namespace

std::string type_in_words(const Type& type) {
  switch (type.shape) {
    case Shape::boolean: return "true or false";
    case Shape::integer: return "a whole number";
    case Shape::number: return "a number";
    case Shape::text: return "text";
    case Shape::choice: return fmt::format("one of {}", fmt::join(type.choices, ", "));
    case Shape::quantity: return "a number with a unit";
    case Shape::list: return "a list";
    case Shape::block:
    case Shape::kinds:
      return type.scalar_key.empty() ? "a block of keys"
                                     : fmt::format("a block of keys, or its {}", type.scalar_key);
    case Shape::dictionary: return "a block of keys";
    case Shape::any: return "a value";
    case Shape::either: break;
  }
  std::vector<std::string> words;
  for (const Type* option : type.either) words.push_back(type_in_words(*option));
  return fmt::format("{}", fmt::join(words, " or "));
}

std::string bounds_in_words(const Type& type) {
  if (type.has_minimum && type.has_maximum && type.minimum == type.maximum)
    return number_text(type.minimum);
  std::string words;
  if (type.has_minimum) {
    words =
        fmt::format("{} {}", type.exclusive ? "more than" : "at least", number_text(type.minimum));
  }
  if (type.has_minimum && type.has_maximum) words += " and ";
  if (type.has_maximum) words += fmt::format("at most {}", number_text(type.maximum));
  return words;
}

bool is_within_bounds(const Type& type, double value) {
  if (type.has_minimum && (type.exclusive ? value <= type.minimum : value < type.minimum))
    return false;
  return !type.has_maximum || value <= type.maximum;
}

std::string length_in_words(const Type& type) {
  const auto items = [](std::size_t n) { return count_words(n, "item"); };
  if (type.min_items == type.max_items) return items(type.min_items);
  if (type.max_items == SIZE_MAX) return "at least " + items(type.min_items);
  return fmt::format("{} to {}", type.min_items, items(type.max_items));
}

bool kind_fits(const Type& type, const Node& node) {
  switch (type.shape) {
    case Shape::boolean: return node.kind == Node::Kind::boolean;
    case Shape::integer: return node.kind == Node::Kind::integer;
    case Shape::number: return node.kind == Node::Kind::integer || node.kind == Node::Kind::number;
    case Shape::text:
    case Shape::choice:
    case Shape::quantity: return node.kind == Node::Kind::text;
    case Shape::list: return node.is_list();
    case Shape::block:
    case Shape::kinds:
    case Shape::dictionary: return node.is_map();
    case Shape::any: return true;
    case Shape::either: break;
  }
  return std::any_of(type.either.begin(), type.either.end(),
                     [&](const Type* option) { return kind_fits(*option, node); });
}

std::string as_written(const Node& node) {
  return node.kind == Node::Kind::text && !node.plain ? fmt::format("\"{}\"", node.text)
                                                      : fmt::format("'{}'", node.text);
}

namespace {

/// Returns the hint for a list of names that stands where each name has a value; empty for another
/// list.
std::string names_hint(const Node& node) {
  constexpr std::size_t kMost = 3;
  constexpr std::size_t kLongest = 40;  // bytes of a name
  std::string keys;
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const Node& item = node.items[i];
    if (item.kind != Node::Kind::text || item.text.size() > kLongest) return "";
    if (i < kMost) keys += fmt::format("{}{}: …", i == 0 ? "" : ", ", item.text);
  }
  if (keys.empty()) return "";
  return fmt::format("each has a value: {{{}{}}}", keys, node.items.size() > kMost ? ", …" : "");
}

}  // namespace

std::string what_to_write(const Type& type, const Node& node) {
  if (!node.is_scalar()) return type.shape == Shape::dictionary ? names_hint(node) : "";
  if (node.text.starts_with("${"))
    return fmt::format("the environment is written ${{env:{}", node.text.substr(2));
  switch (type.shape) {
    case Shape::boolean: return boolean_hint(node);
    case Shape::integer:
    case Shape::number: return number_hint(node);
    case Shape::text: {
      const bool would_fit = !node.is_null() && !format_fault(type.format, node.text);
      return would_fit ? fmt::format("write \"{}\"", node.text) : "";
    }
    default: return "";
  }
}

}  // namespace knead::schema
