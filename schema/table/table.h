#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "schema/document/quantity.h"

namespace knead::schema {

// The schema as constant data, which tools/schemagen generates from schema/language/. All of it has
// static lifetime, so a program knows the language without reading a file.

struct Key;
struct Kind;

/// The form of a value in YAML.
enum class Shape : std::uint8_t {
  boolean,
  integer,
  number,
  text,
  choice,      // one of several words
  quantity,    // a number with a unit
  list,        // of `items`
  block,       // a fixed set of keys
  dictionary,  // names chosen by the user, each with an `items`
  kinds,       // a block whose `type` selects its keys
  either,      // one of several shapes
  any          // any YAML value
};

/// The form of a text. format_fault() checks it, and format_words() describes it.
enum class Format : std::uint8_t {
  none,
  run_name,
  path,
  identifier,
  sha256,
  metric,
  word,
  character,
  code,     // source of a Python function
  key_path  // names joined by dots, as in an override
};

/// Describes the values that a key accepts. A comment after a member names the shapes that use it;
/// the member has its default for all others. Types have static lifetime and never change, so they
/// are passed by reference or pointer, and compared by address where identity is meant.
struct Type {
  Shape shape = Shape::any;
  std::string_view name{};  // of a definition (block, kinds) in the reference, otherwise empty

  Format format = Format::none;                 // text
  Format names = Format::identifier;            // dictionary; with items of any shape: any names
  std::span<const std::string_view> choices{};  // choice
  std::span<const Unit> units{};                // quantity
  bool bare = false;                            // quantity: a number without a unit counts units[0]

  bool has_minimum = false;  // integer, number, quantity (in the canonical unit)
  bool exclusive = false;    // the minimum itself is not allowed
  double minimum = 0;
  bool has_maximum = false;
  double maximum = 0;

  const Type* items = nullptr;  // list, dictionary
  std::size_t min_items = 0;
  std::size_t max_items = SIZE_MAX;

  std::span<const Key> keys{};    // block
  std::string_view scalar_key{};  // block, kinds: the key that a bare value sets
  std::span<const Kind> kinds{};  // kinds
  bool like = false;  // kinds: `like: sibling` copies the keys of another value of this type
  std::span<const Type* const> either{};  // either
};

/// Describes one key of a block. A key that is not required has a constant default (`has_default`),
/// a computed one (`computed_default`), or none: then nothing happens unless it is written. Views
/// are empty where nothing is said.
struct Key {
  std::string_view name;
  const Type* type = nullptr;
  std::string_view description{};
  std::string_view example{};  // YAML, as written after the ':'
  bool required = false;
  bool has_default = false;
  std::string_view default_value{};  // YAML
  std::string_view
      computed_default{};         // a sentence: the default depends on other keys or the machine
  bool automatic = false;         // 'auto' selects the computed default
  bool resume_free = false;       // may change when a run is resumed
  bool secret = false;            // must be an ${env:…}
  std::string_view deprecated{};  // the replacement; empty if not deprecated
  std::span<const std::string_view> also{};  // names in other programs, in the syntax of brought()
};

/// One alternative of Shape::kinds. Its `type` is a block that declares the key `type` itself, too.
struct Kind {
  std::string_view name;  // value of the key `type`
  const Type* type = nullptr;
  std::string_view description{};
};

/// Returns the key of a block, or null if it has no such key. A type with kinds has no keys of its
/// own: block_of() selects the block of a kind first.
const Key* find_key(const Type& block, std::string_view name);

/// Returns the kind whose `type` is `name`, or null if there is none.
const Kind* find_kind(const Type& kinds, std::string_view name);

/// Returns the type of the value under `name`: the first one found among the kinds or alternatives.
/// Returns null if `type` has no such child. In a list or dictionary every name gives the type of
/// the items.
const Type* type_of_child(const Type& type, std::string_view name);

/// Returns the type at a dotted path below `root` ("optimizer.lr",
/// "data.train.fields.pixels.columns"), or null if there is none. An empty path gives `root`. Among
/// kinds, the first one that has the whole path counts.
const Type* type_at(const Type& root, std::string_view path);

/// Returns the type of a whole recipe, which schemagen generates from schema/language/.
const Type& recipe_type();

}  // namespace knead::schema
