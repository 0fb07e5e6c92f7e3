#include <fmt/format.h>

#include "tools/schemagen/emit.h"

namespace knead::schemagen {
namespace {

using schema::Format;
using schema::Shape;
using schema::Unit;

constexpr std::string_view kTop =
    R"(// Made by tools/schemagen from schema/language. Do not edit.
#include <string_view>

#include "schema/table/table.h"

namespace knead::schema {
namespace {

)";

std::string_view shape_name(Shape shape) {
  switch (shape) {
    case Shape::boolean: return "boolean";
    case Shape::integer: return "integer";
    case Shape::number: return "number";
    case Shape::text: return "text";
    case Shape::choice: return "choice";
    case Shape::quantity: return "quantity";
    case Shape::list: return "list";
    case Shape::block: return "block";
    case Shape::dictionary: return "dictionary";
    case Shape::kinds: return "kinds";
    case Shape::either: return "either";
    case Shape::any: return "any";
  }
  return "";
}

std::string_view format_name(Format format) {
  switch (format) {
    case Format::none: return "none";
    case Format::run_name: return "run_name";
    case Format::path: return "path";
    case Format::identifier: return "identifier";
    case Format::sha256: return "sha256";
    case Format::metric: return "metric";
    case Format::word: return "word";
    case Format::character: return "character";
    case Format::code: return "code";
    case Format::key_path: return "key_path";
  }
  return "";
}

std::string_view unit_name(Unit unit) {
  switch (unit) {
    case Unit::steps: return "steps";
    case Unit::epochs: return "epochs";
    case Unit::samples: return "samples";
    case Unit::tokens: return "tokens";
    case Unit::evaluations: return "evaluations";
    case Unit::seconds: return "seconds";
    case Unit::percent: return "percent";
    case Unit::bytes: return "bytes";
    case Unit::rows: return "rows";
  }
  return "";
}

/// Returns a text as a C++ string literal; line ends become blanks.
std::string literal(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + '"';
}

std::string array_of_words(const std::string& id, const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "" : ", ") + literal(word);
  return fmt::format("constexpr std::string_view {}[] = {{{}}};\n", id, list);
}

std::string emit_keys(const TypeModel& type) {
  std::string arrays;
  std::string keys;
  for (const KeyModel& key : type.keys) {
    const std::string also = fmt::format("kAlso_{}_{}", type.id, key.name);
    if (!key.also.empty()) arrays += array_of_words(also, key.also);
    keys += fmt::format("    {{.name = \"{}\", .type = &kType_{}, .description = {}", key.name,
                        key.type->id, literal(key.description));
    if (!key.example.empty()) keys += ", .example = " + literal(key.example);
    if (key.required) keys += ", .required = true";
    if (key.default_value)
      keys += ", .has_default = true, .default_value = " + literal(*key.default_value);
    if (!key.computed_default.empty())
      keys += ", .computed_default = " + literal(key.computed_default);
    if (key.automatic) keys += ", .automatic = true";
    if (key.resume_free) keys += ", .resume_free = true";
    if (key.secret) keys += ", .secret = true";
    if (!key.deprecated.empty()) keys += ", .deprecated = " + literal(key.deprecated);
    if (!key.also.empty()) keys += ", .also = " + also;
    keys += "},\n";
  }
  return fmt::format("{}constexpr Key kKeys_{}[] = {{\n{}}};\n", arrays, type.id, keys);
}

/// Returns the arrays that a type refers to, which must be declared before it.
std::string emit_arrays(const TypeModel& type) {
  std::string out;
  if (!type.choices.empty()) out += array_of_words("kChoices_" + type.id, type.choices);
  if (!type.units.empty()) {
    std::string list;
    for (const Unit unit : type.units)
      list += fmt::format("{}Unit::{}", list.empty() ? "" : ", ", unit_name(unit));
    out += fmt::format("constexpr Unit kUnits_{}[] = {{{}}};\n", type.id, list);
  }
  if (!type.keys.empty()) out += emit_keys(type);
  if (!type.kinds.empty()) {
    std::string list;
    for (const auto& [name, kind] : type.kinds) {
      list += fmt::format("    {{\"{}\", &kType_{}, {}}},\n", name, kind->id,
                          literal(kind->description));
    }
    out += fmt::format("constexpr Kind kKinds_{}[] = {{\n{}}};\n", type.id, list);
  }
  if (!type.either.empty()) {
    std::string list;
    for (const TypeModel* one : type.either)
      list += fmt::format("{}&kType_{}", list.empty() ? "" : ", ", one->id);
    out += fmt::format("constexpr const Type* kEither_{}[] = {{{}}};\n", type.id, list);
  }
  return out;
}

std::string emit_type(const TypeModel& type) {
  std::string out = emit_arrays(type);
  out +=
      fmt::format("constexpr Type kType_{}{{.shape = Shape::{}", type.id, shape_name(type.shape));
  if (!type.name.empty()) out += ", .name = " + literal(type.name);
  if (type.format != Format::none)
    out += fmt::format(", .format = Format::{}", format_name(type.format));
  if (type.names != Format::identifier)
    out += fmt::format(", .names = Format::{}", format_name(type.names));
  if (!type.choices.empty()) out += ", .choices = kChoices_" + type.id;
  if (!type.units.empty()) out += ", .units = kUnits_" + type.id;
  if (type.bare) out += ", .bare = true";
  if (type.minimum) {
    out += fmt::format(", .has_minimum = true, .exclusive = {}, .minimum = {}", type.exclusive,
                       *type.minimum);
  }
  if (type.maximum) out += fmt::format(", .has_maximum = true, .maximum = {}", *type.maximum);
  if (type.items) out += ", .items = &kType_" + type.items->id;
  if (type.min_items) out += fmt::format(", .min_items = {}", *type.min_items);
  if (type.max_items) out += fmt::format(", .max_items = {}", *type.max_items);
  if (!type.keys.empty()) out += ", .keys = kKeys_" + type.id;
  if (!type.scalar_key.empty()) out += ", .scalar_key = " + literal(type.scalar_key);
  if (!type.kinds.empty()) out += ", .kinds = kKinds_" + type.id;
  if (type.like) out += ", .like = true";
  if (!type.either.empty()) out += ", .either = kEither_" + type.id;
  return out + "};\n\n";
}

}  // namespace

std::string emit_table(const SchemaModel& model) {
  std::string out(kTop);
  for (const auto& type : model.types) out += emit_type(*type);
  return out + fmt::format(
                   "}}  // namespace\n\nconst Type& recipe_type() {{ return kType_{}; }}\n\n}}  // "
                   "namespace "
                   "knead::schema\n",
                   model.root->id);
}

}  // namespace knead::schemagen
