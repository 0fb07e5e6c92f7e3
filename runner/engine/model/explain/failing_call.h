#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <ATen/core/ivalue.h>

namespace knead::engine::model {

/// An operator that threw, with what it was given.
struct FailingCall {
  std::string name;  // "linear"
  std::vector<c10::IValue> inputs;

  /// The input of that place, if it is a tensor; else undefined.
  at::Tensor tensor(std::size_t place) const;

  /// All tensors in it, those in lists too.
  std::vector<at::Tensor> tensors() const;
};

/// Runs once more what has thrown, and watches: LibTorch's own messages do not tell which tensors
/// did not fit. The operator that threw, the outermost where one calls others; nothing where none
/// did.
std::optional<FailingCall> find_failing_call(const std::function<void()>& again);

}  // namespace knead::engine::model
