#pragma once

#include <optional>
#include <string>
#include <vector>

#include "recipe/model.h"
#include "runner/data/source/field.h"

namespace knead::engine {

/// Describes a parameter of a model's forward, without self.
struct ForwardParameter {
  std::string name;
  bool has_default = false;
};

/// Returns, for each parameter of forward, the index in `fields` of the field that it takes, or
/// std::nullopt if it keeps its default. Without model.inputs, parameters take the fields of their
/// names; if no name fits and one field besides `target` exists, the first parameter takes that
/// field. Throws knead::Error if a parameter is left without a value, if forward has no parameters,
/// or if model.inputs names an unknown field or parameter.
std::vector<std::optional<std::size_t>> choose_inputs(
    const recipe::Model& model, const std::vector<ForwardParameter>& parameters,
    const std::vector<data::Field>& fields, const std::string& target);

}  // namespace knead::engine
