#pragma once

#include <string>

#include "runner/engine/model/values/explanation.h"

namespace knead::engine::model {

/// Translates an error message of TorchScript's compiler into the words of PyTorch's Python API,
/// without names of internal operators, overloads and value kinds. `cause` is that of
/// read_compile_trace(). For a call that no overload takes, explains the overload that the user
/// most likely means. A message without a rewording becomes its first sentence with an empty
/// remedy.
Explanation compile_words(const std::string& cause);

}  // namespace knead::engine::model
