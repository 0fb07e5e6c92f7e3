#pragma once

#include <string>
#include <vector>

#include "runner/engine/model/module/model.h"

namespace knead::engine {

/// Returns all names of each parameter of a model, in the order of the parameters: its own name,
/// then those tied to it.
std::vector<Names> names_of_parameters(const model::Model& model);

/// Returns all names of each of the given parameters of a model, in their order. Takes time
/// proportional to parameters times aliases.
std::vector<Names> names_of(const NamedTensors& parameters, const model::Model& model);

/// Returns whether a glob pattern matches one of the names: "*.bias" matches "head.bias". `*` also
/// stands for dots.
bool fits(const std::string& pattern, const Names& names);

/// Returns a hint for a pattern that matches no parameter: the pattern for all below a module of
/// that name, else similar names, else some of the names that there are. For "blocks" and
/// "blocks.0.weight": "write 'blocks.*' for all that is below it".
std::string pattern_remedy(const std::string& pattern, const std::vector<Names>& parameters);

}  // namespace knead::engine
