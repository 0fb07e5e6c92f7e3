#pragma once

#include <optional>
#include <string>

#include "runner/front/check/model_files.h"
#include "schema/document/problem.h"

namespace knead::front {

/// Finds mistakes in the text of a model's main file: undefined names, attributes that are never
/// assigned, a missing super().__init__() or forward. A mistake that building and running `built`
/// certainly reaches is an error, any other a warning. `loss` is loss.type of the recipe, empty if
/// it is not certain.
schema::Problems check_source(const ModelFiles& files, const std::optional<FoundClass>& built,
                              const std::string& loss);

}  // namespace knead::front
