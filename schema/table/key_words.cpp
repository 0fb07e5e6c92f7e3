#include "schema/table/key_words.h"

#include <fmt/format.h>

#include "schema/table/format.h"
#include "schema/table/type_words.h"

namespace knead::schema {
namespace {

/// Lists the units of a quantity. The unit of a number without one is named before the list and
/// left out.
std::string units_in_words(const Type& type) {
  std::vector<std::string> words;
  for (const Unit unit : type.bare ? type.units.subspan(1) : type.units) {
    words.emplace_back(unit == Unit::seconds ? "minutes" : unit_word(unit));
    if (unit == Unit::seconds) words.emplace_back("hours");
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

/// Returns one line of the description, or an empty text without words.
std::string line(std::string_view name, const std::string& words) {
  return words.empty() ? "" : fmt::format("  {:<10} {}\n", name, words);
}

std::string names_of(std::span<const Key> keys) {
  std::vector<std::string_view> names;
  for (const Key& key : keys) names.push_back(key.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Lists the names that mean this key. Names whose explanation is about another key are left out.
std::string names_elsewhere(const Key& key) {
  std::vector<std::string_view> names;
  for (const std::string_view also : key.also) {
    const Brought one = brought(also);
    const bool is_meant = one.words.empty() || one.words.starts_with(key.name) ||
                          one.words.find("." + std::string(key.name)) != one.words.npos;
    if (is_meant) names.push_back(one.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string kinds_in_words(const Type& type) {
  std::vector<std::string_view> names;
  for (const Kind& kind : type.kinds) names.push_back(kind.name);
  return fmt::format("a block; type: {}", fmt::join(names, ", "));
}

}  // namespace

std::string value_in_words(const Type& type) {
  const std::string bounds = bounds_in_words(type);
  std::string words = type_in_words(type);
  if (type.shape == Shape::text) words = format_words(type.format);
  if (type.shape == Shape::quantity) {
    words = type.bare ? fmt::format("a whole number of {}, or {}", unit_word(type.units[0]), words)
                      : words;
    words += fmt::format(" ({})", units_in_words(type));
  }
  if (type.shape == Shape::list) {
    words = fmt::format("a list of: {}", value_in_words(*type.items));
    if (type.min_items > 0 || type.max_items != SIZE_MAX)
      words += fmt::format(" ({})", length_in_words(type));
  }
  if (type.shape == Shape::block) words = fmt::format("a block: {}", names_of(type.keys));
  if (type.shape == Shape::kinds) words = kinds_in_words(type);
  if (type.shape == Shape::dictionary) {
    words = fmt::format("{}, each with {}",
                        type.names == Format::key_path ? "paths of keys" : "names of your own",
                        value_in_words(*type.items));
  }
  if (type.shape == Shape::either) {
    std::vector<std::string> options;
    for (const Type* option : type.either) options.push_back(value_in_words(*option));
    words = fmt::format("{}", fmt::join(options, "; or "));
  }
  if (!type.scalar_key.empty()) words += fmt::format("; a bare value is its {}", type.scalar_key);
  const bool is_fixed = type.has_minimum && type.has_maximum && type.minimum == type.maximum;
  if (is_fixed) return bounds;
  return bounds.empty() || type.shape == Shape::either ? words
                                                       : fmt::format("{}, {}", words, bounds);
}

std::string default_in_words(const Key& key) {
  if (key.required) return "required";
  if (key.has_default) return std::string(key.default_value);
  if (!key.computed_default.empty()) {
    return fmt::format("{}{}", key.automatic ? "auto: " : "", key.computed_default);
  }
  return "absent";
}

std::string key_in_words(const Key& key) {
  std::string out = fmt::format("  {}\n", key.description);
  out += line("value", value_in_words(*key.type));
  out += line("default", default_in_words(key));
  out += line("example", key.example.empty() ? "" : fmt::format("{}: {}", key.name, key.example));
  out += line("elsewhere", names_elsewhere(key));
  if (key.resume_free) out += line("resume", "may change when a run is resumed");
  if (key.secret) out += line("secret", "only ever an ${env:NAME}");
  return out;
}

}  // namespace knead::schema
