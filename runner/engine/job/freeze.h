#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runner/engine/model/module/model.h"

namespace knead::engine {

/// Ends the training of the parameters that a glob pattern matches by any of their names: they get
/// no gradient, and backward does not compute one. Throws knead::Error for a pattern that matches
/// no parameter, and if no parameter is left to train. Parameters that other patterns match are
/// frozen by then.
void freeze(const model::Model& model, const std::vector<std::string>& patterns);

/// Throws knead::Error for a complex parameter that is trained: optimizers take real numbers.
void expect_real(const model::Model& model);

/// Returns the parameters that are trained, in the order of the model: those that neither freeze()
/// nor an archive has frozen. The tensors are the model's own. The optimizer is made for them and
/// keeps state for them only.
NamedTensors trained_parameters(const model::Model& model);

/// Returns a warning that names up to four of the trained parameters without a gradient and counts
/// all; std::nullopt if all have one. `has_gradient` tells whether a parameter has one.
std::optional<std::string> untouched_in_words(
    const model::Model& model, const std::function<bool(const at::Tensor&)>& has_gradient);

/// Counts the parameters in words: "17,226 in 6 tensors"; if some are frozen, followed by ": 650
/// trained, 16,576 frozen".
std::string trained_in_words(const model::Model& model);

}  // namespace knead::engine
