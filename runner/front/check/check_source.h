#pragma once

#include <optional>
#include <string>

#include "runner/front/check/model_files.h"
#include "schema/document/problem.h"

namespace knead::front {

/// Finds mistakes in the text of a model's main file: undefined names, attributes that are never
/// assigned, a missing super().__init__() or forward. A mistake that building and running `built`
/// certainly reaches is an error, any other a warning. `built` is std::nullopt if the class is not
/// known: then only what the file runs when it is imported is certain. `loss` is loss.type of the
/// recipe, empty if it is not certain. Every problem has the code model-failed, and an undefined
/// name is reported once.
schema::Problems check_source(const ModelFiles& files, const std::optional<FoundClass>& built,
                              const std::string& loss);

}  // namespace knead::front
