#pragma once

#include <string>

#include <ATen/core/Tensor.h>

namespace knead::engine {

/// "(32, 10)"; "()" for a scalar.
std::string shape_words(at::IntArrayRef shape);

/// "float32", "int64": as recipes and PyTorch write it.
std::string dtype_words(at::ScalarType dtype);

}  // namespace knead::engine
