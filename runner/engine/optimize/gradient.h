#pragma once

#include <ATen/core/Tensor.h>

#include "runner/engine/tensor/named_tensor.h"

namespace knead::engine::optimize {

/// The gradient of a parameter; undefined if there is none. Throws knead::Error for a sparse one.
const at::Tensor& dense_gradient(const NamedTensor& parameter);

}  // namespace knead::engine::optimize
