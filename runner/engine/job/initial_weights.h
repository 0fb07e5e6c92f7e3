#pragma once

#include <optional>
#include <string>
#include <vector>

#include "recipe/model.h"
#include "runner/engine/model/module/model.h"

namespace knead::engine {

/// Describes the weights that a run began with. For a resumed run only `identity` is filled in.
struct InitialWeights {
  /// Describes the source and the number of tensors: "runs/digits, step 940 (its best): 6 tensors".
  std::string words;
  /// Identifies the content by a digest or the id of a run, wherever it lies. A resumed run
  /// compares it; empty if the weights cannot be found.
  std::string identity;
  /// Holds sentences for the user: damaged checkpoints that were passed over, and tensors that were
  /// not loaded, if the recipe allows that.
  std::vector<std::string> warnings;
};

/// Copies the tensors that model.weights names into the parameters and persistent buffers of a
/// model, in host memory. Fetches them first if the recipe names a URL. Converts floating-point
/// numbers of another width, as load_state_dict does. Tied weights must be equal in the file.
/// Throws knead::Error with all tensors that do not fit (with `strict: false` only if none fits),
/// if the file cannot be read, and if it changed meanwhile.
InitialWeights load_weights(const model::Model& model, const recipe::InitialWeights& weights);

/// Returns the present value of InitialWeights::identity without loading the tensors; std::nullopt
/// if the weights cannot be found. For a resumed run, whose weights come from its checkpoint. Uses
/// a download only from the cache. Throws knead::Error if a file that is there cannot be read.
std::optional<std::string> identity_of(const recipe::InitialWeights& weights);

}  // namespace knead::engine
