#pragma once

#include <string>
#include <vector>

#include "schema/load.h"

namespace knead::front {

/// Returns the problems that check_model() finds in the models of a recipe's sweep: each swept
/// value of `model`, and each listed point that has one, is tried on its own. At most 500 are
/// tried. Empty if nothing of the model is swept. The recipe must have no errors.
schema::Problems check_swept_models(const std::string& file,
                                    const std::vector<std::string>& overrides,
                                    const schema::World& world);

}  // namespace knead::front
