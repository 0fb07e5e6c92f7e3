#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "schema/table/catalog.h"
#include "schema/table/table.h"

namespace knead::schema {

/// What a person may have meant by a key that a block does not know.
struct KeyGuess {
  std::string hint;  // "did you mean 'weight_decay'?"; empty if there is no guess
  std::vector<std::string>
      meant;  // patterns of all keys that could be meant, those of other hints too
};

/// The block that does not know it.
struct BlockContext {
  const Type& type;                                     // of the kind that was chosen
  std::string_view path;                                // dotted
  std::string_view kind;                                // empty where the block has no kinds
  const std::unordered_set<std::string_view>& written;  // its keys
};

/// A block of the recipe: a map of its tree.
struct WrittenBlock {
  std::string path;  // dotted, with the numbers of items
  const Node* node;
};

/// The blocks of a recipe, the whole first; the first few hundred of very many.
std::vector<WrittenBlock> written_blocks(const Node& tree);

/// In this order: a key of another kind of this block, a name brought along for one of its keys, a
/// slip of one letter for a key that is not written yet, the same key elsewhere, a name brought
/// along for another block, the nearest key of the block. `all` is the whole language; of the
/// blocks that could have the key, those of `written` are named that lack it, if there are such.
KeyGuess guess_key(std::string_view name, const BlockContext& block, const std::vector<Listed>& all,
                   const std::vector<WrittenBlock>& written);

}  // namespace knead::schema
