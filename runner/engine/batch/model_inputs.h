#pragma once

#include <optional>
#include <string>
#include <vector>

#include "recipe/model.h"
#include "runner/data/source/field.h"

namespace knead::engine {

/// Describes a parameter of a model's forward, without self. A parameter with a default may stay
/// without a field.
struct ForwardParameter {
  std::string name;
  bool has_default = false;
};

/// Returns, for each parameter of forward, the index in `fields` of the field that it takes, or
/// std::nullopt if it keeps its default. `target` is the field of the loss, empty if the loss names
/// none.
///
/// With model.inputs as a list, the first parameters take its fields in order; as a map, each key
/// names a parameter. Without model.inputs, parameters take the fields of their names; if no name
/// fits and one field besides `target` exists, the first parameter takes that field. For forward(x,
/// mask=None) and the fields `pixels` and `digit`, the target: {0, nullopt}.
///
/// Throws knead::Error (exit code of an invalid recipe) if a parameter is left without a value, if
/// forward has no parameters, or if model.inputs names an unknown field or parameter, or more
/// fields than there are parameters.
std::vector<std::optional<std::size_t>> choose_inputs(
    const recipe::Model& model, const std::vector<ForwardParameter>& parameters,
    const std::vector<data::Field>& fields, const std::string& target);

}  // namespace knead::engine
