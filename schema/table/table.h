#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "schema/document/quantity.h"

namespace knead::schema {

/// The schema as data: what tools/schemagen makes of recipe.schema.yaml. Everything is constant and
/// lives for ever, so that a program knows the language without reading anything.

struct Key;
struct Kind;

enum class Shape : std::uint8_t {
  boolean,
  integer,
  number,
  text,
  choice,      // one of a few words
  quantity,    // a number with a unit
  list,        // of `items`
  block,       // a closed set of keys
  dictionary,  // names the reader chooses, each with an `items`
  kinds,       // a block whose `type` decides which
  either,      // one of several shapes
  any          // whatever YAML can say
};

/// What a text must look like.
enum class Format : std::uint8_t {
  none,
  run_name,
  path,
  identifier,
  sha256,
  metric,
  word,
  character,
  code  // source of a function
};

/// What one value may be.
struct Type {
  Shape shape = Shape::any;
  std::string_view
      name{};  // of a definition (block, kinds), as the reference shows it; empty for others

  Format format = Format::none;                 // text
  std::span<const std::string_view> choices{};  // choice
  std::span<const Unit> units{};                // quantity
  bool bare = false;  // quantity: a number without unit means the first one

  bool has_minimum = false;  // integer, number, quantity (in the canonical unit)
  bool exclusive = false;    // the minimum itself is not allowed
  double minimum = 0;
  bool has_maximum = false;
  double maximum = 0;

  const Type* items = nullptr;  // list, dictionary
  std::size_t min_items = 0;
  std::size_t max_items = SIZE_MAX;

  std::span<const Key> keys{};    // block
  std::string_view scalar_key{};  // block, kinds: what a bare value stands for
  std::span<const Kind> kinds{};  // kinds
  bool like = false;  // kinds: `like: sibling` takes the keys of another value of this type
  std::span<const Type* const> either{};  // either
};

/// A key of a block.
struct Key {
  std::string_view name;
  const Type* type = nullptr;
  std::string_view description{};
  std::string_view example{};  // YAML, as one would write it after the ':'
  bool required = false;
  bool has_default = false;
  std::string_view default_value{};  // YAML
  std::string_view
      computed_default{};         // a sentence: the default follows from other keys or the machine
  bool automatic = false;         // the word 'auto' asks for the computed default
  bool resume_free = false;       // may differ when a run is resumed
  bool secret = false;            // only ever an ${env:…}
  std::string_view deprecated{};  // what to write instead
  std::span<const std::string_view>
      also{};  // names that people bring along from elsewhere, as brought() reads them
};

/// One alternative of Shape::kinds.
struct Kind {
  std::string_view name;  // the text of `type`
  const Type* type = nullptr;
  std::string_view description{};
};

/// The key of a block; null if it has none of that name.
const Key* find_key(const Type& block, std::string_view name);

/// The alternative whose `type` is `name`; null if there is none.
const Kind* find_kind(const Type& kinds, std::string_view name);

/// What a value under `name` may be, whichever kind of block this turns out to be; null if nothing
/// is known of it.
const Type* type_of_child(const Type& type, std::string_view name);

/// The type at a dotted path below `root` ("optimizer.lr", "data.train.fields.pixels.columns");
/// null if there is none.
const Type* type_at(const Type& root, std::string_view path);

/// The language: generated from recipe.schema.yaml.
const Type& recipe_type();

}  // namespace knead::schema
