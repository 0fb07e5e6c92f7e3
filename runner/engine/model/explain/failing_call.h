#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <ATen/core/ivalue.h>

namespace knead::engine::model {

/// An operator call that threw, with its inputs.
struct FailingCall {
  std::string name;  // without namespace: "linear"
  /// Inputs in the order of the operator's schema, defaults included. Tensors are shared and keep
  /// their memory.
  std::vector<c10::IValue> inputs;

  /// Returns the input at an index if it is a tensor; otherwise an undefined tensor.
  at::Tensor tensor(std::size_t place) const;

  /// Returns all defined tensors of the inputs in order, including those in lists.
  std::vector<at::Tensor> tensors() const;
};

/// Runs `again`, which is expected to throw, and records the operator that throws, because
/// LibTorch's messages do not say which tensors do not fit. Swallows the exception. Observes only
/// this thread. Returns the outermost operator if operators call each other; std::nullopt if no
/// operator threw. Calls must not nest.
std::optional<FailingCall> find_failing_call(const std::function<void()>& again);

}  // namespace knead::engine::model
