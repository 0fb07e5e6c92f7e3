#pragma once

#include <string>

#include "runner/engine/model/values/explanation.h"

namespace knead::engine::model {

/// What TorchScript's compiler says is wrong, in the words of somebody who writes PyTorch: no names
/// of operators, of variants or of the compiler's own kinds of values.
Explanation compile_words(const std::string& cause);

}  // namespace knead::engine::model
