#pragma once

#include <ATen/core/Tensor.h>

#include "runner/engine/tensor/named_tensor.h"

namespace knead::engine::optimize {

/// Returns the gradient of a parameter, which the parameter owns; an undefined tensor if it has
/// none. Throws knead::Error, which names the parameter, if the gradient is sparse, as those of an
/// embedding with sparse=True.
const at::Tensor& dense_gradient(const NamedTensor& parameter);

}  // namespace knead::engine::optimize
