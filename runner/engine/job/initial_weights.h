#pragma once

#include <optional>
#include <string>
#include <vector>

#include "recipe/model.h"
#include "runner/engine/model/module/model.h"

namespace knead::engine {

/// Describes the weights that a run began with.
struct InitialWeights {
  std::string words;                  // "runs/digits, step 940 (its best): 6 tensors"
  std::string identity;               // a digest or the id of a run, wherever it lies
  std::vector<std::string> warnings;  // damaged checkpoints that were passed over; tensors that
                                      // were not loaded, if the recipe allows that
};

/// Copies the tensors that model.weights names into the parameters and persistent buffers of a
/// model. Converts floating-point numbers of another width, as load_state_dict does. Throws
/// knead::Error with all tensors that do not fit, and if the file cannot be read.
InitialWeights load_weights(const model::Model& model, const recipe::InitialWeights& weights);

/// Returns the present value of InitialWeights::identity; std::nullopt if the weights are no longer
/// there. For a resumed run, whose weights come from its checkpoint.
std::optional<std::string> identity_of(const recipe::InitialWeights& weights);

}  // namespace knead::engine
