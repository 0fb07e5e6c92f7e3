#pragma once

#include <string>
#include <vector>

#include "runner/engine/model/module/model.h"

namespace knead::engine {

/// Returns the paths of the modules that glob patterns match, those of one pattern after the other.
/// The model itself is not among them. `key` names the list of the recipe in messages. Throws
/// knead::Error for a pattern that matches no module, or only a list, which is never called.
std::vector<std::string> choose_modules(const model::Model& model,
                                        const std::vector<std::string>& patterns,
                                        const std::string& key);

}  // namespace knead::engine
