#include "tools/schemagen/model.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "schema/document/yaml_text.h"
#include "tools/schemagen/dialect.h"
#include "tools/schemagen/key_words.h"

namespace knead::schemagen {
namespace {

using schema::Entry;
using schema::Format;
using schema::Node;
using schema::Shape;
using schema::Unit;

std::string camel(std::string_view name) {
  std::string out;
  bool upper = true;
  for (const char c : name) {
    if (c == '_') {
      upper = true;
    } else {
      out += upper ? static_cast<char>(std::toupper(c)) : c;
      upper = false;
    }
  }
  return out;
}

class Reader {
 public:
  explicit Reader(const Node& document) : document_(document) {}

  SchemaModel read() {
    check_words(document_);
    if (text_of(document_, "type") != "object")
      refuse(document_.place, "the whole must be an object");
    model_.root = block(document_, "Recipe", "Recipe");
    refuse_unused_definitions();
    return std::move(model_);
  }

 private:
  TypeModel* keep(TypeModel type) {
    model_.types.push_back(std::make_unique<TypeModel>(std::move(type)));
    return model_.types.back().get();
  }

  const Entry& definition(const Node& ref) {
    static constexpr std::string_view kPrefix = "#/$defs/";
    const Node* all = document_.find("$defs");
    const bool local = ref.text.starts_with(kPrefix);
    const Entry* found =
        local && all ? all->entry(std::string_view(ref.text).substr(kPrefix.size())) : nullptr;
    if (!found) refuse(ref.place, fmt::format("'{}' is not defined", ref.text));
    return *found;
  }

  void refuse_unused_definitions() {
    const Node* all = document_.find("$defs");
    if (!all) return;
    for (const Entry& entry : all->entries) {
      if (!definitions_.contains(entry.key)) {
        refuse(entry.place, fmt::format("nothing refers to '{}'", entry.key));
      }
    }
  }

  /// Reads a definition once. Its entry is null during the reading, so that a cycle is found.
  TypeModel* definition_type(const Node& ref) {
    const Entry& entry = definition(ref);
    if (const auto known = definitions_.find(entry.key); known != definitions_.end()) {
      if (!known->second) refuse(ref.place, fmt::format("'{}' contains itself", entry.key));
      return known->second;
    }
    definitions_[entry.key] = nullptr;
    return definitions_[entry.key] = type(entry.value, entry.key, "");
  }

  /// Reads a type. An enum gets the C++ name `scope`, which is empty where none can be declared.
  TypeModel* type(const Node& node, const std::string& id, const std::string& scope) {
    if (node.kind == Node::Kind::boolean) return single(node, node, id, scope);
    check_words(node);
    if (const Node* ref = node.find("$ref")) {
      check_words_beside_ref(node);
      return definition_type(*ref);
    }
    if (node.find("oneOf")) return kinds(node, id);
    const Node* named = node.find("type");
    if (!named) refuse(node.place, "a type is missing");
    if (named->is_list()) return either(node, *named, id, scope);
    return single(node, *named, id, scope);
  }

  TypeModel* single(const Node& node, const Node& named, const std::string& id,
                    const std::string& scope) {
    const std::string& word = named.text;
    if (word == "object")
      return node.find("additionalProperties") ? dictionary(node, id, scope) : block(node, id, id);
    if (word == "array") return list(node, id, scope);
    if (word == "string") return text(node, id, scope);
    TypeModel out;
    out.id = id;
    if (word == "true") {
      out.cpp_type = "schema::Node";
    } else if (word == "boolean") {
      out.shape = Shape::boolean;
      out.cpp_type = "bool";
    } else if (word == "integer") {
      out.shape = Shape::integer;
      out.cpp_type = "std::int64_t";
    } else if (word == "number") {
      out.shape = Shape::number;
      out.cpp_type = "double";
    } else {
      refuse(named.place, fmt::format("unknown type '{}'", word));
    }
    bounds(node, out);
    return keep(std::move(out));
  }

  void bounds(const Node& node, TypeModel& out) {
    if (const Node* bound = node.find("minimum")) out.minimum = bound->number;
    if (const Node* bound = node.find("exclusiveMinimum"))
      out.minimum = bound->number, out.exclusive = true;
    if (const Node* bound = node.find("maximum")) out.maximum = bound->number;
    if (const Node* choices = node.find("enum"); choices && out.shape == Shape::integer) {
      // A single choice of an integer is a bound from both sides.
      if (choices->items.size() != 1) refuse(choices->place, "an integer has bounds, not choices");
      out.minimum = out.maximum = choices->items[0].number;
    }
  }

  TypeModel* text(const Node& node, const std::string& id, const std::string& scope) {
    TypeModel out;
    out.id = id;
    if (const Node* choices = node.find("enum")) {
      if (choices->items.empty()) refuse(choices->place, "enum is a list of words");
      out.shape = Shape::choice;
      for (const Node& choice : choices->items) out.choices.push_back(choice.text);
      if (scope.empty()) refuse(node.place, "a choice must stand at a key");
      out.cpp_type = scope;
    } else if (const Node* units = node.find("x-unit")) {
      out.shape = Shape::quantity;
      for (const Node& unit : units->items) out.units.push_back(unit_of(unit));
      out.bare = is_true(node, "x-bare");
      out.cpp_type = "schema::Quantity";
      bounds(node, out);
    } else {
      out.shape = Shape::text;
      if (const Node* format = node.find("x-format")) out.format = format_of(*format);
      // Code keeps its node, because its problems are reported at its place in the recipe.
      out.cpp_type = out.format == Format::path   ? "std::filesystem::path"
                     : out.format == Format::code ? "schema::Node"
                                                  : "std::string";
    }
    return keep(std::move(out));
  }

  TypeModel* list(const Node& node, const std::string& id, const std::string& scope) {
    TypeModel out;
    out.id = id;
    out.shape = Shape::list;
    const Node* items = node.find("items");
    if (!items) refuse(node.place, "a list needs items");
    out.items = type(*items, id + "_item", scope);
    if (const Node* least = node.find("minItems"))
      out.min_items = static_cast<std::size_t>(least->integer);
    if (const Node* most = node.find("maxItems"))
      out.max_items = static_cast<std::size_t>(most->integer);
    out.cpp_type = fmt::format("std::vector<{}>", out.items->cpp_type);
    return keep(std::move(out));
  }

  TypeModel* dictionary(const Node& node, const std::string& id, const std::string& scope) {
    TypeModel out;
    out.id = id;
    out.shape = Shape::dictionary;
    if (const Node* names = node.find("x-names")) out.names = format_of(*names);
    const Node& values = node.at("additionalProperties");
    out.items = type(values, id + "_item", scope);
    out.cpp_type = out.items->cpp_type;
    if (out.items->shape != Shape::any)
      out.cpp_type = fmt::format("std::vector<std::pair<std::string, {}>>", out.cpp_type);
    return keep(std::move(out));
  }

  TypeModel* either(const Node& node, const Node& names, const std::string& id,
                    const std::string& scope) {
    TypeModel out;
    out.id = id;
    out.shape = Shape::either;
    std::string types;
    for (const Node& name : names.items) {
      Node one = node;
      one.find("type")->kind = Node::Kind::text;
      *one.find("type") = name;
      if (name.text == "array") one.erase("additionalProperties");
      out.either.push_back(type(one, id + "_" + name.text, scope));
      types += (types.empty() ? "" : ", ") + out.either.back()->cpp_type;
    }
    out.cpp_type = fmt::format("std::variant<{}>", types);
    return keep(std::move(out));
  }

  TypeModel* kinds(const Node& node, const std::string& id) {
    TypeModel out;
    out.id = out.name = out.cpp_type = id;
    out.shape = Shape::kinds;
    out.block = node.place.source->path().stem().string();
    out.like = is_true(node, "x-like");
    out.scalar_key = text_of(node, "x-scalar");
    const Node& branches = node.at("oneOf");
    if (branches.items.empty()) refuse(branches.place, "oneOf is a list of branches");
    for (const Node& branch : branches.items) {
      TypeModel* one = type(branch, id, "");
      const auto type_key = std::find_if(one->keys.begin(), one->keys.end(),
                                         [](const KeyModel& k) { return k.is_kind; });
      if (type_key == one->keys.end())
        refuse(branch.place, "each branch of oneOf needs a type: {const: …}");
      const std::string& kind = type_key->type->choices.at(0);
      for (const auto& [other, type] : out.kinds) {
        if (other == kind) refuse(branch.place, fmt::format("two branches are '{}'", kind));
      }
      out.kinds.emplace_back(kind, one);
    }
    return keep(std::move(out));
  }

  TypeModel* block(const Node& node, const std::string& id, const std::string& name) {
    TypeModel out;
    out.id = out.name = out.cpp_type = name;
    out.shape = Shape::block;
    out.block = node.place.source->path().stem().string();
    out.description = text_of(node, "description");
    out.scalar_key = text_of(node, "x-scalar");
    std::set<std::string> required;
    if (const Node* names = node.find("required")) {
      for (const Node& one : names->items) required.insert(one.text);
    }
    const Node* properties = node.find("properties");
    if (!properties) refuse(node.place, "an object needs properties or additionalProperties");
    for (const Entry& property : properties->entries) {
      out.keys.push_back(key(property, id, required.erase(property.key) > 0));
    }
    if (!required.empty())
      refuse(node.at("required").place,
             fmt::format("'{}' is required but no key", *required.begin()));
    return keep(std::move(out));
  }

  KeyModel key(const Entry& property, const std::string& id, bool required) {
    const Node& node = property.value;
    KeyModel out;
    out.name = property.key;
    out.required = required;
    // The description, example and default of a definition apply to a key that does not have its
    // own.
    const Node* ref = node.find("$ref");
    if (ref) read_key_words(definition(*ref).value, out);
    read_key_words(node, out);
    if (out.description.empty())
      refuse(property.place, fmt::format("'{}' needs a description", property.key));
    if (const Node* kind = node.find("const")) {
      out.is_kind = true;
      TypeModel fixed;
      fixed.id = id + "_" + property.key;
      fixed.shape = Shape::choice;
      fixed.choices = {kind->text};
      out.type = keep(std::move(fixed));
      return out;
    }
    out.type = type(node, id + "_" + property.key, id + "::" + camel(property.key));
    const bool has_default = out.default_value.has_value();
    if (has_default + out.required + !out.computed_default.empty() > 1) {
      refuse(
          property.place,
          fmt::format("'{}' is one of: required, with a default, with an x-default", property.key));
    }
    if (out.automatic && out.computed_default.empty())
      refuse(property.place, "x-auto needs an x-default");
    return out;
  }

  const Node& document_;
  SchemaModel model_;
  std::map<std::string, TypeModel*> definitions_;
};

}  // namespace

SchemaModel read_schema(const schema::Node& document) { return Reader(document).read(); }

}  // namespace knead::schemagen
