#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "schema/document/source.h"

namespace knead::schema {

struct Entry;

/// Holds one value of a recipe without its children, and the place where it is written. `kind`
/// decides which of `boolean`, `integer` and `number` has a meaning. Validation replaces the text
/// of a quantity by its canonical form and the text of a path by the absolute path; all other texts
/// stay as written, even if the kind becomes another one (1e3 for an integer).
struct Written {
  enum class Kind { null, boolean, integer, number, text, list, map };

  Kind kind = Kind::null;
  bool boolean = false;
  std::int64_t integer = 0;
  double number = 0;      // also set for integers
  std::string text;       // scalars: as written, without quotes, after ${env:…} is replaced
  bool plain = false;     // a scalar written without quotes
  bool empty = false;     // a null without any text, as in `key:`
  std::string reference;  // the text before ${env:…} was replaced, otherwise empty

  Place place;   // of the value; of its key if the value is empty
  Place anchor;  // if `place` is an alias: the place of the anchored value
  std::shared_ptr<const struct Node> replaced;  // the value that a later file or argument overwrote
  bool is_default = false;                      // filled in from the schema
  bool secret = false;                          // printed as `reference`, never as `text`
  bool is_shorthand = false;   // a block or list that expand_shorthand() put around a value
  bool broken = false;         // a problem was reported here; validation skips the value
  bool is_incomplete = false;  // a '<<' of this map failed, so keys may be missing
};

/// A value of a recipe with its children. The parser builds this tree, `extends`, overrides and
/// `like` rewrite it, and validation completes it.
///
/// A node owns its children, and a copy of it is deep: only sources and `replaced` values, which
/// never change, are shared. Pointers to entries and values are valid until the map or list that
/// holds them, or one above it, is changed. A look-up of a key takes time linear in the keys of the
/// map.
struct Node : Written {
  std::vector<Node> items;     // list
  std::vector<Entry> entries;  // map: in the order written, with distinct keys

  bool is_scalar() const { return kind != Kind::list && kind != Kind::map; }
  bool is_map() const { return kind == Kind::map; }
  bool is_list() const { return kind == Kind::list; }
  bool is_null() const { return kind == Kind::null; }

  /// Returns the entry of a map under `key`, or null if the key is absent or this node is not a
  /// map.
  const Entry* entry(std::string_view key) const;
  Entry* entry(std::string_view key);
  /// Returns the value of a map under `key`, or null if the key is absent or this node is not a
  /// map.
  const Node* find(std::string_view key) const;
  Node* find(std::string_view key);

  /// Returns the value under `key`, which must exist, as validation guarantees for required keys
  /// and for keys with a default. An absent key is a programmer's mistake: an assertion, then
  /// undefined behaviour.
  const Node& at(std::string_view key) const;

  /// Removes the entry under `key`, if there is one. The other entries keep their order.
  void erase(std::string_view key);
};

/// One key of a map with its value.
struct Entry {
  std::string key;
  Place place;  // of the key
  Node value;
};

/// Returns the value below `node` at a dotted path ("optimizer.lr", "expect.0.metric"), or null if
/// the path does not exist. An empty path returns `node`. Items of a list are numbered from 0. A
/// key that contains dots, as those of sweep.over, is found as the rest of the path.
const Node* find_path(const Node& node, std::string_view path);

/// Counts the nodes of a tree, including its root. Values in `replaced` do not count.
std::size_t count_nodes(const Node& node);

/// Counts the bytes of text in a tree, keys included.
std::size_t count_text(const Node& node);

/// Returns a copy of a value with empty `items` and `entries`.
Node without_children(const Node& node);

/// Merges `over` into `base`: maps merge key by key; any other value of `over` wins and keeps the
/// value of `base` in `replaced`. A null wins like any value, which is how a recipe removes a key
/// of its base. The keys of `base` come first, in their order, then the new ones; a key in both has
/// the place that it has in `over`.
Node merged(Node base, Node over);

/// Names the kind of a value for messages: "a number", "text", "a list", "a block of keys";
/// "nothing" for a null.
std::string_view kind_in_words(const Node& node);

/// Builds a scalar of kind text, as if it were written in quotes; see resolve_plain() for the type
/// that it has without them.
Node text_node(std::string text, Place place);

}  // namespace knead::schema
