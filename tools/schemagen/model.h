#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "schema/document/node.h"
#include "schema/table/table.h"

namespace knead::schemagen {

struct KeyModel;

/// A schema::Type in the making, with its spelling in C++.
struct TypeModel {
  std::string id;        // of the constant in the table: kType_<id>
  std::string cpp_type;  // "double", "Batch", "std::vector<Metric>", …
  schema::Shape shape = schema::Shape::any;
  std::string name;  // of a definition
  std::string description;
  schema::Format format = schema::Format::none;
  std::vector<std::string> choices;
  std::vector<schema::Unit> units;
  bool bare = false;
  std::optional<double> minimum, maximum;
  bool exclusive = false;
  TypeModel* items = nullptr;
  std::optional<std::size_t> min_items, max_items;
  std::vector<KeyModel> keys;
  std::string scalar_key;
  std::vector<std::pair<std::string, TypeModel*>> kinds;
  bool like = false;
  std::vector<TypeModel*> either;
};

struct KeyModel {
  std::string name;
  TypeModel* type = nullptr;
  std::string description, example, computed_default, deprecated;
  std::optional<std::string> default_value;
  bool required = false, automatic = false, resume_free = false, secret = false, document = false,
       is_kind = false;
  std::vector<std::string> also;

  bool is_optional() const { return !required && !default_value; }
};

/// The whole schema. Types are in the order in which they can be declared: what one needs comes
/// before it.
struct SchemaModel {
  std::vector<std::unique_ptr<TypeModel>> types;
  TypeModel* root = nullptr;
};

/// Reads the schema's dialect; throws schema::InvalidRecipe where a shape is none of it.
SchemaModel read_schema(const schema::Node& document);

}  // namespace knead::schemagen
