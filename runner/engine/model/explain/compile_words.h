#pragma once

#include <string>

#include "runner/engine/model/values/explanation.h"

namespace knead::engine::model {

/// Translates an error message of TorchScript's compiler into the words of PyTorch's Python API,
/// without names of internal operators, overloads and value kinds.
Explanation compile_words(const std::string& cause);

}  // namespace knead::engine::model
