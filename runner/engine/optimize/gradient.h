#pragma once

#include <ATen/core/Tensor.h>

#include "runner/engine/tensor/named_tensor.h"

namespace knead::engine::optimize {

/// Returns the gradient of a parameter; an undefined tensor if it has none. Throws knead::Error if
/// the gradient is sparse.
const at::Tensor& dense_gradient(const NamedTensor& parameter);

}  // namespace knead::engine::optimize
