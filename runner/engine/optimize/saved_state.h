#pragma once

#include <map>
#include <string>

#include <ATen/core/Tensor.h>

#include "runner/engine/tensor/named_tensor.h"

namespace knead::engine::optimize {

/// What an optimizer, or an average, of another run held, by name; each tensor is asked for once.
class SavedState {
 public:
  /// `whose`: for messages.
  explicit SavedState(const NamedTensors& saved, std::string whose = "the optimizer");

  /// Whether there is anything of this parameter.
  bool holds(const std::string& parameter) const;

  /// A copy of `name`, laid out as `like`. Throws knead::Error if it is missing or has another
  /// shape or type.
  at::Tensor take(const std::string& name, const at::Tensor& like);

  /// Throws knead::Error if something was never asked for.
  void expect_all_taken() const;

 private:
  std::string whose_;
  std::map<std::string, at::Tensor> left_;
};

}  // namespace knead::engine::optimize
