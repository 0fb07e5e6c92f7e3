#pragma once

#include <memory>
#include <string>

#include "recipe/model.h"
#include "runner/engine/model/module/model.h"

namespace knead::engine {

/// Holds a model and the digest of its files. A checkpoint records the digest; a run resumes only
/// with the same one.
struct BuiltModel {
  /// Holds the model in host memory; never null.
  std::unique_ptr<model::Model> model;
  /// Holds the XXH3-128 digest of the user's files and the layers, or of the archive.
  std::string digest;
};

/// Builds the model that a recipe names, on the CPU, with initial weights drawn from LibTorch's
/// default generator; an archive brings its own. The caller seeds the generator. Reads the source
/// with all files it imports, or the archive. Throws syntax::Refusal or knead::Error if the model
/// cannot be used, or if the SHA-256 of its files is not the one in model.sha256. For a source that
/// is the digest of the file and of the files it imports, one after another.
BuiltModel build_model(const recipe::Model& recipe);

}  // namespace knead::engine
