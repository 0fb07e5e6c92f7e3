#pragma once

#include "recipe.h"
#include "runner/engine/batch/feed.h"
#include "runner/engine/model/module/model.h"

namespace knead::engine {

/// Returns the fields that forward takes and the defaults of its other parameters; those of the
/// loss and the metrics are left empty. `fields` are those of the set that will be read, to which
/// the indices refer. Throws knead::Error as choose_inputs().
FeedFields choose_fields(const recipe::Recipe& recipe, const model::Model& model,
                         const std::vector<data::Field>& fields);

}  // namespace knead::engine
