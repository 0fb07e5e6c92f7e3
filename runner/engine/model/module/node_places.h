#pragma once

#include <string>
#include <vector>

#include "runner/engine/model/explain/run_error.h"
#include "runner/engine/model/module/scripted.h"

namespace knead::engine::model {

/// Returns the places in the user's files where an operator is called, by its qualified name:
/// "aten::exp". Calls in layers are left out, and so the result is empty for an archive. Searches
/// all graphs of the model; a place may be listed more than once if there are several.
std::vector<schema::Place> places_of(const std::string& symbol, const Model::Parts& parts);

}  // namespace knead::engine::model
