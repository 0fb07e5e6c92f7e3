#pragma once

#include <map>
#include <string>

#include <ATen/core/Tensor.h>

#include "runner/engine/tensor/named_tensor.h"

namespace knead::engine::optimize {

/// Holds the state that an optimizer or an average had in another run, by name, and checks that
/// each tensor is taken once. The caller takes all that it needs, calls expect_all_taken(), and
/// only then changes its own state. All exceptions are knead::Error with the exit code of a refused
/// resume; they name the tensor.
class SavedState {
 public:
  /// Takes the tensors of `saved`, whose memory it shares. `whose`: the owner of the state, for
  /// messages.
  explicit SavedState(const NamedTensors& saved, std::string whose = "the optimizer");

  /// Returns whether a tensor of this parameter, "<parameter>/…", is left to take.
  bool holds(const std::string& parameter) const;

  /// Removes the tensor `name` and returns a copy with the memory layout and on the device of
  /// `like`. Throws knead::Error if it is missing or has another shape or type.
  at::Tensor take(const std::string& name, const at::Tensor& like);

  /// Throws knead::Error if a tensor was not taken.
  void expect_all_taken() const;

 private:
  std::string whose_;
  std::map<std::string, at::Tensor> left_;  // not yet taken, by name
};

}  // namespace knead::engine::optimize
