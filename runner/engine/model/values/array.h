#pragma once

#include <cstdint>
#include <variant>

#include <ATen/core/Tensor.h>
#include <c10/core/ScalarType.h>

namespace knead::engine::model {

/// An array of NumPy. Two arrays may share the storage of their tensors: a view, as in NumPy. The
/// tensor is on the CPU, has one of the dtypes bool, int8 … int64, uint8, float16 … float64, and no
/// gradient.
struct Array {
  at::Tensor numbers;
  /// A tensor has no negative steps, so `a[::-1]`, which is a view in NumPy, is a copy here: it
  /// must not be written, and torch.from_numpy() refuses it as PyTorch does.
  bool stands_for_reversed_view = false;
};

/// A number with a dtype of NumPy, such as np.float32(0.5) or the item of an array. It passes for a
/// Python number wherever one is asked for; its operators are those of NumPy.
struct ArrayScalar {
  c10::ScalarType type;
  /// The value: bool for the dtype bool, std::int64_t for whole numbers, double for all floats.
  std::variant<bool, std::int64_t, double> number;

  bool operator==(const ArrayScalar&) const = default;
};

}  // namespace knead::engine::model
