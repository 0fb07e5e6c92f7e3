#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runner/engine/model/module/model.h"

namespace knead::engine {

/// Ends the training of the parameters that a pattern stands for, under any of their names: they
/// get no gradient. Throws knead::Error for a pattern that stands for none, and where nothing would
/// be left to train.
void freeze(const model::Model& model, const std::vector<std::string>& patterns);

/// The parameters that are trained: all but those that freeze() or an archive has taken out. What
/// an optimizer is made of, and what keeps a state in it.
NamedTensors trained_parameters(const model::Model& model);

/// The parameters that are to be trained and have no gradient after a backward pass, in a sentence
/// for a warning; nothing where all have one.
std::optional<std::string> untouched_in_words(const model::Model& model);

/// "17,226 in 6 tensors"; where some are frozen with ": 650 trained, 16,576 frozen".
std::string trained_in_words(const model::Model& model);

}  // namespace knead::engine
