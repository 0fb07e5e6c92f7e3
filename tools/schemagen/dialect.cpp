#include "tools/schemagen/dialect.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "schema/document/problem.h"

namespace knead::schemagen {
namespace {

using schema::Entry;
using schema::Format;
using schema::Node;
using schema::Unit;

template <class Value, std::size_t N>
using Words = std::array<std::pair<std::string_view, Value>, N>;

constexpr Words<Format, 9> kFormats{{{"run_name", Format::run_name},
                                     {"path", Format::path},
                                     {"identifier", Format::identifier},
                                     {"sha256", Format::sha256},
                                     {"metric", Format::metric},
                                     {"word", Format::word},
                                     {"character", Format::character},
                                     {"code", Format::code},
                                     {"key_path", Format::key_path}}};

constexpr Words<Unit, 9> kUnits{{{"steps", Unit::steps},
                                 {"epochs", Unit::epochs},
                                 {"samples", Unit::samples},
                                 {"tokens", Unit::tokens},
                                 {"evaluations", Unit::evaluations},
                                 {"time", Unit::seconds},
                                 {"%", Unit::percent},
                                 {"size", Unit::bytes},
                                 {"rows", Unit::rows}}};

/// Lists the keywords that describe a key, which may stand beside a $ref. Those of kTypeWords
/// describe its type.
constexpr std::array<std::string_view, 11> kKeyWords{
    "description", "default",  "x-default",  "x-auto", "x-example",   "x-also",
    "x-resume",    "x-secret", "x-document", "$ref",   "x-deprecated"};
constexpr std::array<std::string_view, 20> kTypeWords{"type",
                                                      "properties",
                                                      "additionalProperties",
                                                      "required",
                                                      "enum",
                                                      "const",
                                                      "minimum",
                                                      "maximum",
                                                      "items",
                                                      "exclusiveMinimum",
                                                      "minItems",
                                                      "oneOf",
                                                      "maxItems",
                                                      "$defs",
                                                      "x-scalar",
                                                      "x-format",
                                                      "x-names",
                                                      "x-unit",
                                                      "x-bare",
                                                      "x-like"};

template <std::size_t N>
bool is_in(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

template <class Value, std::size_t N>
Value meaning(const Node& word, const Words<Value, N>& words) {
  for (const auto& [name, value] : words) {
    if (name == word.text) return value;
  }
  refuse(word.place, fmt::format("unknown word '{}'", word.text));
}

}  // namespace

void refuse(const schema::Place& place, std::string message) {
  throw schema::InvalidRecipe({{"schema", place, std::move(message), ""}});
}

void check_words(const Node& node) {
  for (const Entry& entry : node.entries) {
    if (is_in(entry.key, kKeyWords) || is_in(entry.key, kTypeWords)) continue;
    refuse(entry.place, fmt::format("'{}' is no word of the schema's dialect", entry.key));
  }
}

void check_words_beside_ref(const Node& node) {
  for (const Entry& entry : node.entries) {
    if (is_in(entry.key, kKeyWords)) continue;
    refuse(entry.place, fmt::format("'{}' beside a $ref means nothing", entry.key));
  }
}

Format format_of(const Node& word) { return meaning(word, kFormats); }

Unit unit_of(const Node& word) { return meaning(word, kUnits); }

}  // namespace knead::schemagen
