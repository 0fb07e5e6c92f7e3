#pragma once

#include <string>
#include <vector>

#include "runner/engine/model/explain/run_error.h"
#include "runner/engine/model/module/scripted.h"

namespace knead::engine::model {

/// The places of the user's files where an operator stands, by its whole name: "aten::exp".
std::vector<schema::Place> places_of(const std::string& symbol, const Model::Parts& parts);

}  // namespace knead::engine::model
