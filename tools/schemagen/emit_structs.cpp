#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "tools/schemagen/emit.h"

namespace knead::schemagen {
namespace {

using schema::Shape;

constexpr std::string_view kKeyHeader =
    R"(// Made by tools/schemagen from schema/language. Do not edit.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "schema/document/node.h"
#include "schema/document/quantity.h"

// A test compiles the programs with KNEAD_MARK_KEYS: each use of a key then is a warning that names it, and a key that
// nothing reads is found.
#ifdef KNEAD_MARK_KEYS
#define KNEAD_KEY(name) [[deprecated("knead-key " name)]]
#else
#define KNEAD_KEY(name)
#endif
)";

constexpr std::string_view kHeaderTop =
    R"(// Made by tools/schemagen from schema/language. Do not edit.
#pragma once

#include "recipe/key.h"
)";

constexpr std::string_view kNamespace = R"(
/// What a recipe says, checked and typed. An std::optional is empty where the recipe leaves a key out and its default
/// follows from elsewhere (plan/resolve.h), or where nothing happens without it.
namespace knead::recipe {
)";

constexpr std::string_view kReaderTop =
    R"(// Made by tools/schemagen from schema/language. Do not edit.
#include "recipe.h"

#include "schema/table/read.h"

namespace knead::recipe {

using schema::read;
using schema::read_if;

)";

/// Returns the choices that a key declares, directly or as the items of a list; null if it declares
/// none.
const TypeModel* choice_at(const KeyModel& key) {
  if (key.is_kind) return nullptr;
  const TypeModel* type = key.type->shape == Shape::list ? key.type->items : key.type;
  return type->shape == Shape::choice ? type : nullptr;
}

std::string local_name(const std::string& qualified) {
  return qualified.substr(qualified.rfind(':') + 1);
}

/// Returns the C++ type of a key's member. Inside its struct an enum goes by its own name.
std::string spelled(const KeyModel& key) {
  std::string type = key.type->cpp_type;
  if (const TypeModel* choice = choice_at(key)) {
    type.replace(type.find(choice->cpp_type), choice->cpp_type.size(),
                 local_name(choice->cpp_type));
  }
  return key.is_optional() ? fmt::format("std::optional<{}>", type) : type;
}

std::string default_words(const KeyModel& key) {
  if (key.required) return "Required.";
  if (key.default_value) return fmt::format("Default: {}.", *key.default_value);
  if (!key.computed_default.empty()) return fmt::format("Default: {}.", key.computed_default);
  return "Absent unless written.";
}

bool is_member(const KeyModel& key) { return !key.is_kind && !key.document; }

std::string emit_struct(const TypeModel& type) {
  std::string out = "\n";
  if (!type.description.empty()) out += fmt::format("/// {}\n", type.description);
  out += fmt::format("struct {} {{\n", type.cpp_type);
  for (const KeyModel& key : type.keys) {
    if (const TypeModel* choice = choice_at(key)) {
      out += fmt::format("  enum class {} {{", local_name(choice->cpp_type));
      for (const std::string& name : choice->choices) out += " " + member_name(name) + ",";
      out.back() = ' ';
      out += "};\n";
    }
  }
  for (const KeyModel& key : type.keys) {
    if (!is_member(key)) continue;
    out += fmt::format("  /// {} {}\n  KNEAD_KEY(\"{}.{}\") {} {};\n", key.description,
                       default_words(key), type.cpp_type, key.name, spelled(key),
                       member_name(key.name));
  }
  return out + fmt::format("\n  bool operator==(const {}&) const = default;\n}};\n", type.cpp_type);
}

std::string emit_variant(const TypeModel& type) {
  std::string alternatives;
  for (const auto& [name, kind] : type.kinds)
    alternatives += (alternatives.empty() ? "" : ", ") + kind->cpp_type;
  return fmt::format(
      "\nusing {0} = std::variant<{1}>;\n\n/// What a recipe calls it.\nstd::string_view "
      "kind_of(const {0}& value);\n",
      type.cpp_type, alternatives);
}

std::string emit_block_reader(const TypeModel& type) {
  std::string out;
  for (const KeyModel& key : type.keys) {
    const TypeModel* choice = choice_at(key);
    if (!choice) continue;
    const std::string& name = choice->cpp_type;
    out += fmt::format("std::string_view to_string({} value) {{\n  switch (value) {{\n", name);
    for (const std::string& word : choice->choices) {
      out += fmt::format("    case {}::{}: return \"{}\";\n", name, member_name(word), word);
    }
    out += fmt::format(
        "  }}\n  return \"\";\n}}\n\nvoid read(const schema::Node& node, {}& out) {{\n", name);
    for (const std::string& word : choice->choices) {
      out +=
          fmt::format("  if (node.text == \"{}\") out = {}::{};\n", word, name, member_name(word));
    }
    out += "}\n\n";
  }
  out += fmt::format(
      "void read([[maybe_unused]] const schema::Node& node, [[maybe_unused]] {}& out) {{\n",
      type.cpp_type);
  for (const KeyModel& key : type.keys) {
    if (!is_member(key)) continue;
    const std::string member = member_name(key.name);
    out += key.is_optional() ? fmt::format("  read_if(node, \"{}\", out.{});\n", key.name, member)
                             : fmt::format("  read(node.at(\"{}\"), out.{});\n", key.name, member);
  }
  return out + "}\n\n";
}

std::string emit_kind_of(const TypeModel& type) {
  std::string names;
  for (const auto& [name, kind] : type.kinds)
    names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", name);
  return fmt::format(
      "std::string_view kind_of(const {}& value) {{\n  static constexpr std::string_view kNames[] "
      "= "
      "{{{}}};\n  return kNames[value.index()];\n}}\n\n",
      type.cpp_type, names);
}

std::string emit_kinds_reader(const TypeModel& type) {
  std::string out = fmt::format("void read(const schema::Node& node, {}& out) {{\n", type.cpp_type);
  out += "  const std::string& type = node.at(\"type\").text;\n";
  for (const auto& [name, kind] : type.kinds) {
    out +=
        fmt::format("  if (type == \"{}\") read(node, out.emplace<{}>());\n", name, kind->cpp_type);
  }
  return out + "}\n\n";
}

/// Adds the blocks whose headers declare the parts of a value of `type`.
void add_blocks(const TypeModel& type, std::set<std::string>& blocks) {
  if (!type.name.empty()) {
    blocks.insert(type.block);
    return;
  }
  if (type.items) add_blocks(*type.items, blocks);
  for (const TypeModel* one : type.either) add_blocks(*one, blocks);
}

/// Returns the other blocks whose types a block uses.
std::set<std::string> blocks_below(const SchemaModel& model, const std::string& block) {
  std::set<std::string> blocks;
  for (const auto& type : model.types) {
    if (type->block != block) continue;
    for (const KeyModel& key : type->keys) add_blocks(*key.type, blocks);
    for (const auto& [name, kind] : type->kinds) add_blocks(*kind, blocks);
  }
  blocks.erase(block);
  return blocks;
}

}  // namespace

std::string member_name(const std::string& key) {
  static constexpr std::array<std::string_view, 9> kKeywords{
      "auto", "bool", "class", "default", "export", "double", "float", "for", "register"};
  const bool taken = std::find(kKeywords.begin(), kKeywords.end(), key) != kKeywords.end();
  std::string name = taken ? key + "_" : key;
  std::replace(name.begin(), name.end(), '.', '_');  // a choice may have a dot: llm.c
  return name;
}

std::string emit_key_header() { return std::string(kKeyHeader); }

std::string emit_header(const SchemaModel& model, const std::string& block) {
  std::string out(kHeaderTop);
  for (const std::string& below : blocks_below(model, block))
    out += fmt::format("#include \"recipe/{}.h\"\n", below);
  out += kNamespace;
  std::string functions;
  for (const auto& type : model.types) {
    if (type->block != block) continue;
    if (type->shape == Shape::block) out += emit_struct(*type);
    if (type->shape == Shape::kinds) out += emit_variant(*type);
    for (const KeyModel& key : type->keys) {
      if (const TypeModel* choice = choice_at(key)) {
        functions += fmt::format("std::string_view to_string({} value);\n", choice->cpp_type);
      }
    }
  }
  if (!functions.empty())
    out += "\n/// Return the words of a recipe for the choices.\n" + functions;
  if (block == model.root->block) {
    out +=
        "\n/// Reads the recipe that a validated tree says.\nvoid read(const schema::Node& node, "
        "Recipe& out);\n";
  }
  return out + "\n}  // namespace knead::recipe\n";
}

std::string emit_reader(const SchemaModel& model) {
  std::string out(kReaderTop);
  for (const auto& type : model.types) {
    if (type->shape == Shape::block) out += emit_block_reader(*type);
    if (type->shape == Shape::kinds) out += emit_kind_of(*type) + emit_kinds_reader(*type);
  }
  return out + "}  // namespace knead::recipe\n";
}

}  // namespace knead::schemagen
