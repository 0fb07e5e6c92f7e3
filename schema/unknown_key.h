#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "schema/catalog.h"
#include "schema/table.h"

namespace knead::schema {

/// What a person may have meant by a key that a block does not know.
struct KeyGuess {
  std::string hint;                // "did you mean 'weight_decay'?"; empty if there is no guess
  std::vector<std::string> meant;  // patterns of all keys that could be meant, those of other hints too
};

/// In this order: a slip of one letter, a name brought along from another trainer, the same key elsewhere, the nearest
/// key of the block. `path` is the block's dotted path, `block` its type (of the kind that was chosen), `all` the
/// whole language.
KeyGuess guess_key(std::string_view name, const Type& block, std::string_view path, const std::vector<Listed>& all);

}  // namespace knead::schema
