#pragma once

#include <memory>
#include <string>

#include "recipe.h"
#include "runner/engine/model/module/model.h"

namespace knead::engine {

struct BuiltModel {
  std::unique_ptr<model::Model> model;
  std::string digest;  // of all files that it is made of, the layers among them
};

/// Builds what a recipe names as its model, with initial weights drawn from LibTorch's default
/// generator. Throws syntax::Refusal or knead::Error for a model that cannot be used, and where its
/// files are not those that model.sha256 pins: for source, the digest of the file and of those that
/// it imports, one after another.
BuiltModel build_model(const recipe::Model& recipe);

}  // namespace knead::engine
