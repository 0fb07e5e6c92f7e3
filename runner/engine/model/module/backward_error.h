#pragma once

#include <string>

#include "runner/engine/model/module/scripted.h"

namespace knead::engine::model {

/// Throws why a loss has no gradient: nothing in the model would be trained.
[[noreturn]] void throw_nothing_to_learn(const Model::Parts& parts);

/// Throws what a backward pass threw, at the line of the user's whose result it needed, where that
/// can be told.
[[noreturn]] void throw_backward_error(const std::string& text, const Model::Parts& parts);

}  // namespace knead::engine::model
