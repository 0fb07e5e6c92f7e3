#pragma once

#include <string>
#include <vector>

#include "runner/engine/model/module/model.h"

namespace knead::engine {

/// The names of each parameter of a model, in their order.
std::vector<Names> names_of_parameters(const model::Model& model);

/// The names of each of these parameters of a model.
std::vector<Names> names_of(const NamedTensors& parameters, const model::Model& model);

/// Whether a pattern stands for one of the names.
bool fits(const std::string& pattern, const Names& names);

/// What to say about a pattern that stands for no parameter: names that are near, or some that
/// there are.
std::string pattern_remedy(const std::string& pattern, const std::vector<Names>& parameters);

}  // namespace knead::engine
