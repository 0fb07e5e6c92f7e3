#pragma once

#include <optional>
#include <string>

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>

#include "runner/engine/model/operators/dtypes.h"
#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

// Operations on tensors as values that are not LibTorch operators.

/// Converts a bool, int or float; is_number() must hold.
c10::Scalar to_scalar(const Value& number);

/// Returns an attribute of a tensor: shape (a tuple), dtype, device, data, grad, T, …; std::nullopt
/// for any other name. Methods are not attributes here. `data` and T share the storage.
std::optional<Value> find_in_tensor(const at::Tensor& tensor, const std::string& name);

/// Sets the attribute data, requires_grad or grad (to None only). Throws Mistake for others.
void set_in_tensor(const at::Tensor& tensor, const std::string& name, const Value& value);

/// Makes a tensor from nested lists of numbers and tensors, as torch.tensor does; std::nullopt
/// infers the dtype: float32 for floats, int64 for ints, the wider one for a mixture. A tensor is
/// copied and has no gradient history. Throws Mistake if the lists have no regular shape or hold
/// other values.
at::Tensor tensor_of(const Value& data, std::optional<c10::ScalarType> dtype);

/// Convert a tensor of one item to a number, and any tensor to nested lists of numbers, as item()
/// and tolist() do. Throw Mistake for complex numbers; c10::Error if number_of() gets several
/// items.
Value number_of(const at::Tensor& tensor);
Value lists_of(const at::Tensor& tensor);

/// Read and write tensor[index] with the indices of Python: integers, slices, None, `...`, tensors,
/// lists, and tuples of them. Basic indices give a view of the storage. Throw Mistake for any other
/// index, c10::Error for one out of range.
Value tensor_item(const at::Tensor& tensor, const Value& index);
void set_tensor_item(const at::Tensor& tensor, const Value& index, const Value& value);

/// Counts the memory of a tensor made while a model is built; ignores other values. Throws Mistake
/// if the tensor is larger than the memory of the machine, or the process uses more than 90 % of
/// it. Checks only after every 1/64 of that memory, and reads /proc/self/statm then. Not
/// thread-safe.
void count_memory(const Value& made);

}  // namespace knead::engine::model
