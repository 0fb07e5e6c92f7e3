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

/// Describes a schema::Type under construction, with its C++ spelling.
struct TypeModel {
  std::string id;        // suffix of its constant in the table: kType_<id>
  std::string cpp_type;  // "double", "Batch", "std::vector<Metric>", …
  schema::Shape shape = schema::Shape::any;
  std::string name;   // the name of an object or a oneOf, otherwise empty
  std::string block;  // the file of the language that declares it, without .yaml
  std::string description;
  schema::Format format = schema::Format::none;
  schema::Format names = schema::Format::identifier;
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

/// Describes a schema::Key under construction.
struct KeyModel {
  std::string name;  // as a recipe writes it
  TypeModel* type = nullptr;
  std::string description, example, computed_default, deprecated;
  std::optional<std::string> default_value;  // as YAML
  bool required = false, automatic = false, resume_free = false, secret = false, document = false,
       is_kind = false;
  std::vector<std::string> also;  // the key's names in other programs, as in schema::Key::also

  /// Returns whether the struct holds the key as a std::optional.
  bool is_optional() const { return !required && !default_value; }
};

/// Holds the whole schema. `types` is in declaration order: a type comes after the types that it
/// uses.
struct SchemaModel {
  std::vector<std::unique_ptr<TypeModel>> types;
  TypeModel* root = nullptr;
};

/// Reads the schema's dialect of JSON Schema. Throws schema::InvalidRecipe if the document has any
/// other form.
SchemaModel read_schema(const schema::Node& document);

}  // namespace knead::schemagen
