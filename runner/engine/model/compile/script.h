#pragma once

#include <memory>
#include <string>

#include "runner/engine/model/module/model.h"
#include "schema/document/node.h"

namespace knead::engine::model {

/// A function that a recipe holds as source: `def name(output, batch)`.
struct Script {
  std::unique_ptr<Model> function;  // forward(output, batch)
  bool takes_tensor = true;         // `output` is a Tensor, as it is unless annotated
};

/// Compiles the function `name` of the source in a recipe's key. torch, nn, F, math and the words
/// of typing are there without an import. Throws syntax::Refusal at the recipe's line where the
/// source stands in a block below `|`, else at that of the source; knead::Error where it defines no
/// such function.
Script compile_script(const schema::Node& code, const std::string& name);

/// The source of a recipe's key as a text whose lines and columns are those of the recipe, all else
/// left out, where it stands in a block below `|`. Else a text of its own.
std::shared_ptr<const schema::Source> source_of_script(const schema::Node& code);

}  // namespace knead::engine::model
