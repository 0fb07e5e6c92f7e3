#pragma once

#include <optional>
#include <string>

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/core/Scalar.h>
#include <c10/core/ScalarType.h>

#include "runner/engine/model/values/value.h"

namespace knead::engine::model {

// Tensors as values: what Python's Tensor has besides the operators.

/// torch.float32, or one of Python's types float, int, bool; nothing for anything else.
std::optional<c10::ScalarType> to_dtype(const Value& value);

/// "cpu" or torch.device("cpu"). A model is built on the CPU: Mistake for other devices.
std::optional<c10::Device> to_device(const Value& value);

c10::Scalar to_scalar(const Value& number);

/// shape, dtype, data, T, …; nothing for what is no attribute but perhaps a method.
std::optional<Value> find_in_tensor(const at::Tensor& tensor, const std::string& name);

/// data, requires_grad, grad.
void set_in_tensor(const at::Tensor& tensor, const std::string& name, const Value& value);

/// Numbers in lists, each within the next, as torch.tensor takes them.
at::Tensor tensor_of(const Value& data, std::optional<c10::ScalarType> dtype);

/// A tensor of one item as a number; of more, lists of numbers.
Value number_of(const at::Tensor& tensor);
Value lists_of(const at::Tensor& tensor);

Value tensor_item(const at::Tensor& tensor, const Value& index);
void set_tensor_item(const at::Tensor& tensor, const Value& index, const Value& value);

/// "float32" for torch.float32.
std::string dtype_name(c10::ScalarType type);

/// Mistake where a tensor that was made while building, or what the process holds after it, needs
/// more memory than the machine has. Looks only now and then.
void count_memory(const Value& made);

}  // namespace knead::engine::model
