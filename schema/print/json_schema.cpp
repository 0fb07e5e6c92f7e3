#include "schema/print/json_schema.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "schema/document/json_text.h"
#include "schema/document/node_json.h"
#include "schema/document/parse.h"
#include "schema/table/format.h"
#include "schema/table/key_words.h"

namespace knead::schema {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kReference = R"(\$\{env:[A-Za-z_][A-Za-z0-9_]*(:-[^}]*)?\})";

/// Converts a default or an example of the schema to JSON.
Json value_of_yaml(std::string_view yaml) {
  Problems none;
  const auto source = std::make_shared<Source>("default", "default", std::string(yaml));
  return as_json(*parse_yaml(source, none));
}

/// Returns the regular expression of the quantities of a type: "^([0-9]…)( )?(steps?|epochs?)$".
std::string quantity_pattern(const Type& type) {
  std::vector<std::string_view> words;
  for (const Unit unit : type.units) {
    switch (unit) {
      case Unit::steps: words.push_back("steps?"); break;
      case Unit::epochs: words.push_back("epochs?"); break;
      case Unit::samples: words.push_back("samples?"); break;
      case Unit::tokens: words.push_back("tokens?"); break;
      case Unit::evaluations: words.push_back("evaluations?"); break;
      case Unit::seconds: words.push_back("s|seconds?|min|minutes?|h|hours?"); break;
      case Unit::percent: words.push_back("%"); break;
      case Unit::bytes: words.push_back("B|kB|MB|GB|KiB|MiB|GiB"); break;
      case Unit::rows: words.push_back("rows?"); break;
    }
  }
  return fmt::format(
      R"(^ *\+?(0|[1-9][0-9]*|[0-9]*\.[0-9]+|[1-9][0-9]*\.)([eE][-+]?[0-9]+)? *({}) *$)",
      fmt::join(words, "|"));
}

Json any_of(std::vector<Json> options) {
  if (options.size() == 1) return std::move(options[0]);
  return Json{{"anyOf", std::move(options)}};
}

class Writer {
 public:
  std::string run(const Type& root) {
    Json out{{"$schema", "http://json-schema.org/draft-07/schema#"}, {"title", "knead recipe"}};
    out.update(block(root, "", /*complete=*/false));
    // A base of `extends` may have the required keys, so a recipe with `extends` requires none.
    Json required = Json::array();
    for (const Key& key : root.keys) {
      if (key.required) required.push_back(key.name);
    }
    out["anyOf"] =
        Json::array({Json{{"required", Json::array({"extends"})}}, Json{{"required", required}}});
    out["patternProperties"] = Json{{"^x-", Json::object()}};
    out["definitions"] = definitions_;
    return json_text(out, 2) + "\n";
  }

 private:
  Json value(const Type& type) {
    switch (type.shape) {
      case Shape::boolean: return or_reference(Json{{"type", "boolean"}});
      case Shape::integer: return or_reference(bounded(type, Json{{"type", "integer"}}));
      case Shape::number: return or_reference(bounded(type, Json{{"type", "number"}}));
      case Shape::text: return text(type);
      case Shape::choice: return or_reference(Json{{"enum", type.choices}});
      case Shape::quantity: return or_reference(quantity(type));
      case Shape::list: return list(type);
      case Shape::dictionary: return dictionary(type);
      case Shape::block:
      case Shape::kinds: return named(type);
      case Shape::either: return either(type);
      case Shape::any: return Json::object();
    }
    return Json::object();
  }

  /// Also accepts an `${env:…}` reference, which every scalar may be.
  static Json or_reference(Json schema) {
    return any_of(
        {std::move(schema), Json{{"type", "string"}, {"pattern", std::string(kReference)}}});
  }

  static Json bounded(const Type& type, Json schema) {
    if (type.has_minimum) schema[type.exclusive ? "exclusiveMinimum" : "minimum"] = type.minimum;
    if (type.has_maximum) schema["maximum"] = type.maximum;
    return schema;
  }

  static Json text(const Type& type) {
    Json schema{{"type", "string"}};
    if (type.format == Format::none) return schema;
    schema["pattern"] = format_pattern(type.format);
    return or_reference(schema);
  }

  static Json quantity(const Type& type) {
    Json schema{{"type", "string"}, {"pattern", quantity_pattern(type)}};
    if (!type.bare) return schema;
    return any_of({schema, bounded(type, Json{{"type", "integer"}})});
  }

  Json list(const Type& type) {
    Json schema{{"type", "array"}, {"items", value(*type.items)}};
    if (type.min_items > 0) schema["minItems"] = type.min_items;
    if (type.max_items != SIZE_MAX) schema["maxItems"] = type.max_items;
    if (type.min_items > 1) return schema;
    return any_of({schema, value(*type.items)});  // a list of one needs no brackets
  }

  Json dictionary(const Type& type) {
    Json schema{{"type", "object"}, {"additionalProperties", value(*type.items)}};
    if (type.items->shape != Shape::any) {
      schema["propertyNames"] = Json{{"pattern", format_pattern(type.names)}};
    }
    return schema;
  }

  Json either(const Type& type) {
    std::vector<Json> options;
    for (const Type* option : type.either) options.push_back(value(*option));
    return any_of(std::move(options));
  }

  /// Returns a reference to the definition of a block or of kinds, which is written on first use.
  Json named(const Type& type) {
    const std::string name(type.name);
    if (!definitions_.contains(name)) {
      // The entry is made before the blocks below it are written: definitions then stand in the
      // order of their first use.
      definitions_[name] = Json::object();
      definitions_[name] =
          type.shape == Shape::kinds ? kinds(type) : scalar_or(type, block(type, "", true));
    }
    return Json{{"$ref", "#/definitions/" + name}};
  }

  Json kinds(const Type& type) {
    std::vector<Json> branches;
    for (const Kind& kind : type.kinds) {
      Json branch = block(*kind.type, kind.name, !type.like);
      branch["description"] = kind.description;
      if (type.like) branch["anyOf"] = like_or_complete(*kind.type);
      branches.push_back(std::move(branch));
    }
    // A set with `like` may omit `type` and then fits several kinds, so oneOf would fail.
    return scalar_or(
        type, Json{{"type", "object"}, {type.like ? "anyOf" : "oneOf", std::move(branches)}});
  }

  /// Accepts a set that names another by `like`, or has all required keys.
  static Json like_or_complete(const Type& kind) {
    Json required = Json::array();
    for (const Key& key : kind.keys) {
      if (key.required) required.push_back(key.name);
    }
    const Json is_like{{"required", {"like"}}, {"properties", {{"like", {{"type", "string"}}}}}};
    return Json::array({is_like, Json{{"required", required}}});
  }

  /// Also accepts a bare value where it stands for a key.
  Json scalar_or(const Type& type, Json schema) {
    if (type.scalar_key.empty()) return schema;
    if (type.shape == Shape::block)
      return any_of({std::move(schema), value(*find_key(type, type.scalar_key)->type)});
    std::vector<std::string_view> names;
    for (const Kind& kind : type.kinds) {
      // A bare type is complete only if its kind requires nothing else.
      const auto required = std::count_if(kind.type->keys.begin(), kind.type->keys.end(),
                                          [](const Key& key) { return key.required; });
      if (required == 1) names.push_back(kind.name);
    }
    if (names.empty()) return schema;
    return any_of({std::move(schema), Json{{"enum", names}}});
  }

  Json block(const Type& type, std::string_view kind, bool complete) {
    Json properties = Json::object();
    Json required = Json::array();
    for (const Key& key : type.keys) {
      properties[std::string(key.name)] =
          key.name == "type" && !kind.empty() ? kind_key(key, kind) : property(key);
      if (key.required) required.push_back(key.name);
    }
    Json schema{
        {"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
    if (complete && !required.empty()) schema["required"] = std::move(required);
    return schema;
  }

  static Json kind_key(const Key& key, std::string_view kind) {
    return Json{{"const", kind}, {"description", key.description}};
  }

  Json property(const Key& key) {
    Json schema = value(*key.type);
    if (key.automatic) schema = any_of({std::move(schema), Json{{"const", "auto"}}});
    // null leaves a key out.
    if (!key.required) schema = any_of({std::move(schema), Json{{"type", "null"}}});
    // Draft-07 ignores the siblings of $ref.
    if (schema.contains("$ref")) schema = Json{{"allOf", Json::array({std::move(schema)})}};
    schema["description"] = fmt::format("{} Default: {}.", key.description, default_in_words(key));
    if (key.required) schema["description"] = key.description;
    if (key.has_default) schema["default"] = value_of_yaml(key.default_value);
    if (!key.example.empty()) schema["examples"] = Json::array({value_of_yaml(key.example)});
    return schema;
  }

  Json definitions_ = Json::object();
};

}  // namespace

std::string json_schema(const Type& root) { return Writer().run(root); }

}  // namespace knead::schema
