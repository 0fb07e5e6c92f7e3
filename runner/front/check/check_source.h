#pragma once

#include <optional>
#include <string>

#include "runner/front/check/model_files.h"
#include "schema/document/problem.h"

namespace knead::front {

/// Mistakes in the main file of a model that its text alone shows: names that nothing gives a
/// value to, attributes that nothing assigns, a missing super().__init__() or forward. What whoever
/// builds and runs `built` must come by is an error; what only may happen is a warning. `loss` is
/// the type of the recipe's, empty where it is not certain.
schema::Problems check_source(const ModelFiles& files, const std::optional<FoundClass>& built,
                              const std::string& loss);

}  // namespace knead::front
