#pragma once

#include <memory>
#include <string>

#include "runner/engine/model/module/model.h"
#include "schema/document/node.h"

namespace knead::engine::model {

/// A compiled function that a recipe contains as source, such as a loss or a metric: `def
/// name(output, batch)`.
struct Script {
  /// A model without parameters whose forward(output, batch) calls the function. `batch` is a
  /// Dict[str, Tensor].
  std::unique_ptr<Model> function;
  /// True if `output` is a Tensor, the default without annotation; false for any other annotated
  /// type, such as a tuple.
  bool takes_tensor = true;
};

/// Compiles the function `name` of the source in a recipe's key. The names torch, nn, F, math,
/// Tensor, Dict, List, Optional and Tuple need no import. Throws syntax::Refusal at the recipe's
/// line if the source is a block below `|`, otherwise at a line of the source; knead::Error if the
/// source does not define the function.
Script compile_script(const schema::Node& code, const std::string& name);

/// Returns the source of a recipe's key. If it is a block below `|`, the returned text has the
/// recipe's line and column numbers, and everything outside the block is left out. Otherwise the
/// text begins at line 1.
std::shared_ptr<const schema::Source> source_of_script(const schema::Node& code);

}  // namespace knead::engine::model
