#pragma once

#include <optional>
#include <string>
#include <vector>

#include "recipe.h"
#include "runner/data/source/field.h"

namespace knead::engine {

/// A parameter of a model's forward.
struct ForwardParameter {
  std::string name;
  bool has_default = false;
};

/// Which fields of a batch a model is given: a place in `fields` for each parameter of forward;
/// nothing where the parameter keeps its default. Without model.inputs: the fields named like the
/// parameters; if none is and one field besides the target is left, that one.
/// Throws knead::Error where a parameter would be left without a value, or a field does not exist.
std::vector<std::optional<std::size_t>> choose_inputs(
    const recipe::Model& model, const std::vector<ForwardParameter>& parameters,
    const std::vector<data::Field>& fields, const std::string& target);

}  // namespace knead::engine
