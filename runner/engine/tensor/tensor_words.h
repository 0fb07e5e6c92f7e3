#pragma once

#include <string>

#include <ATen/core/Tensor.h>

namespace knead::engine {

/// Formats a shape for messages: "(32, 10)"; "(32)" for a vector, "()" for a scalar.
std::string shape_words(at::IntArrayRef shape);

/// Returns the name of a dtype as recipes and PyTorch write it: "float32", "int64".
std::string dtype_words(at::ScalarType dtype);

}  // namespace knead::engine
