#pragma once

#include <string>

#include "schema/document/node.h"

namespace knead::front {

/// Returns a line with the values that the block `sweep` of a recipe tries for a key, and where
/// they stand; empty if it tries none.
std::string values_in_sweep(const std::string& path, const schema::Node& tree);

/// Returns a line that says of which sweep a run folder is a trial, if that sweep tries the key;
/// else an empty text.
std::string sweep_of_trial(const std::string& path, const std::string& run_folder);

}  // namespace knead::front
