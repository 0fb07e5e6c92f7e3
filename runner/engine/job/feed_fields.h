#pragma once

#include "runner/engine/batch/feed.h"
#include "runner/engine/model/module/model.h"

namespace knead::engine {

/// Which fields of samples forward is given, and the defaults of its other parameters: what a feed
/// needs for a model alone. Throws as choose_inputs().
FeedFields choose_fields(const recipe::Recipe& recipe, const model::Model& model,
                         const std::vector<data::Field>& fields);

}  // namespace knead::engine
