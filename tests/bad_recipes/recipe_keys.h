#pragma once

#include <string>
#include <utility>
#include <vector>

#include "schema/document/node.h"
#include "schema/table/table.h"

namespace knead::tests {

/// A block of the recipe whose keys the language knows.
struct Block {
  std::string path;  // without the names that the reader chose and the numbers of items
  const schema::Type* type;
  const schema::Node* node;
};

/// A key of the recipe.
struct WrittenKey {
  std::string block;               // the path of its block
  const schema::Node* in;          // its block
  schema::Place block_key;         // of the block; the block itself in a list; nowhere at the top
  const schema::Type* block_type;  // null where the reader chooses the names
  const schema::Type* type;        // of its value; null where that may be anything
  const schema::Entry* entry;
  std::size_t end;  // of its value
  bool in_braces;
};

/// The value of a key, or an item of it.
struct Value {
  const schema::Type* type;
  const schema::Node* node;
  schema::Place key;
};

/// A recipe without a mistake: its text, and what the language says about each of its keys.
class Recipe {
 public:
  /// `text` is YAML without comments behind values.
  explicit Recipe(std::string text);
  Recipe(const Recipe&) = delete;  // what it gives points into it
  Recipe& operator=(const Recipe&) = delete;

  const std::string& text() const { return source_->text(); }
  const std::vector<Block>& blocks() const { return blocks_; }
  const std::vector<WrittenKey>& keys() const { return keys_; }
  const std::vector<Value>& values() const { return values_; }

  /// The text with other words in place of bytes [begin, end).
  std::string with(std::size_t begin, std::size_t end, std::string_view instead) const;

  /// The bytes that are taken away with a key: its lines, or its place between two commas; none
  /// where it is all that follows a dash.
  std::pair<std::size_t, std::size_t> extent(const WrittenKey& key) const;

  /// The column of a byte, counted from 0.
  std::size_t column(std::size_t at) const;

 private:
  void collect(const schema::Node& node, const schema::Type& written_type, const std::string& path,
               const schema::Place& key, const schema::Node* siblings);
  void add(const schema::Entry& entry, const Block& block, const schema::Type& type,
           const schema::Place& block_key);
  void collect_names(const schema::Entry& block, const std::string& path);

  std::shared_ptr<const schema::Source> source_;
  schema::Node root_;
  std::vector<Block> blocks_;
  std::vector<WrittenKey> keys_;
  std::vector<Value> values_;
};

/// The byte behind a value.
std::size_t end_of(const schema::Node& node);

}  // namespace knead::tests
