#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "schema/document/source.h"

namespace knead::schema {

struct Entry;

/// What is known of one value of a recipe, with the place it is written at.
struct Written {
  enum class Kind { null, boolean, integer, number, text, list, map };

  Kind kind = Kind::null;
  bool boolean = false;
  std::int64_t integer = 0;
  double number = 0;      // also set for integers
  std::string text;       // scalars: the text as written, without quotes, after ${env:…}
  bool plain = false;     // a scalar written without quotes
  bool empty = false;     // a null that is not written at all: `key:`
  std::string reference;  // the text before ${env:…} was replaced; empty if there was none

  Place place;   // the value; the key where the value is empty
  Place anchor;  // set where `place` is an alias: where the value stands
  std::shared_ptr<const struct Node> replaced;  // what stood here before a later file or argument
  bool is_default = false;                      // filled in from the schema
  bool secret = false;                          // shown as `reference`, never as `text`
  bool is_shorthand = false;                    // a block or list around what was written alone
  bool broken = false;         // a problem was reported here: nothing below is looked at
  bool is_incomplete = false;  // a '<<' of this map merges nothing: keys may be meant to be in it
};

/// The tree that the document layer makes, that `extends`, overrides and `like` rewrite, and that
/// validation completes.
struct Node : Written {
  std::vector<Node> items;     // list
  std::vector<Entry> entries;  // map, in the order written, keys distinct

  bool is_scalar() const { return kind != Kind::list && kind != Kind::map; }
  bool is_map() const { return kind == Kind::map; }
  bool is_list() const { return kind == Kind::list; }
  bool is_null() const { return kind == Kind::null; }

  /// The entry or value of a map under `key`; null if there is none or this is no map.
  const Entry* entry(std::string_view key) const;
  Entry* entry(std::string_view key);
  const Node* find(std::string_view key) const;
  Node* find(std::string_view key);

  /// Like find(); the key must be there (validation saw to it).
  const Node& at(std::string_view key) const;

  void erase(std::string_view key);
};

struct Entry {
  std::string key;
  Place place;  // of the key
  Node value;
};

/// The value below `node` at a dotted path ("optimizer.lr", "expect.0.metric"); null if there is
/// none.
const Node* find_path(const Node& node, std::string_view path);

/// Map, list and scalar nodes of a tree, itself included.
std::size_t count_nodes(const Node& node);

/// Bytes of text in a tree.
std::size_t count_text(const Node& node);

/// A value without what is below it.
Node without_children(const Node& node);

/// `over` on `base`: maps merge key by key, everything else is replaced and remembers what it
/// replaced.
Node merged(Node base, Node over);

/// "a number", "text", "a list", … as messages name what was found.
std::string_view kind_in_words(const Node& node);

Node text_node(std::string text, Place place);

}  // namespace knead::schema
