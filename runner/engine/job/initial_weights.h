#pragma once

#include <optional>
#include <string>
#include <vector>

#include "recipe.h"
#include "runner/engine/model/module/model.h"

namespace knead::engine {

/// The weights that a run began with.
struct InitialWeights {
  std::string words;     // "runs/digits, step 940 (its best): 6 tensors"
  std::string identity;  // what they are, wherever they lie: a digest, or the id of the run
  std::vector<std::string> warnings;  // what was not loaded, where the recipe allows that
};

/// Copies what model.weights names into the parameters and persistent buffers of a model, as
/// load_state_dict does: a float of one width becomes a float of the other. Throws knead::Error
/// with all that does not fit, and where the file cannot be read.
InitialWeights load_weights(const model::Model& model, const recipe::InitialWeights& weights);

/// What `identity` would be now; nothing where the weights are not there any more. For a run that
/// goes on, which has its own.
std::optional<std::string> identity_of(const recipe::InitialWeights& weights);

}  // namespace knead::engine
