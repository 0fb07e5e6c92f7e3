#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "schema/table/catalog.h"
#include "schema/table/table.h"

namespace knead::schema {

/// The keys that an unknown key may have been meant as.
struct KeyGuess {
  std::string hint;  // "did you mean 'weight_decay'?"; empty without a guess
  std::vector<std::string>
      meant;  // paths, possibly with '*', of all candidates, also of other hints
};

/// The block that contains the unknown key. It borrows everything for the duration of a call.
struct BlockContext {
  const Type& type;                                     // of the selected kind
  std::string_view path;                                // dotted
  std::string_view kind;                                // empty if the block has no kinds
  const std::unordered_set<std::string_view>& written;  // keys of the block
};

/// A map of the recipe's tree, which must outlive it.
struct WrittenBlock {
  std::string path;  // dotted, list items by number
  const Node* node;
};

/// Returns the maps of a recipe, the root first, at most 300. Maps beyond this number only make
/// hints less precise.
std::vector<WrittenBlock> written_blocks(const Node& tree);

/// Guesses the key that `name` was meant as. The order of preference: a key of another kind of this
/// block, a name from another program for a key of this block, a key of this block within one edit
/// that is not written yet, the same key in other blocks, a name from another program for a key
/// elsewhere, the nearest key of this block, a key elsewhere within one edit. `all` lists every key
/// of the language. If several blocks may have the key, the hint names those of `written` that lack
/// it. Both members of the result are empty if nothing is similar. Searches the whole language on
/// each call.
KeyGuess guess_key(std::string_view name, const BlockContext& block, const std::vector<Listed>& all,
                   const std::vector<WrittenBlock>& written);

}  // namespace knead::schema
