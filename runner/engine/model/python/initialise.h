#pragma once

#include <memory>

#include <ATen/core/Tensor.h>

#include "recipe/model.h"

namespace knead::engine::model {

/// Initialises parameters with the functions of torch.nn.init, bit for bit as in Python: random
/// numbers come from LibTorch's default generator. An object may fill any number of parameters; the
/// layer files are loaded at the first one. Not thread-safe.
class Initialiser {
 public:
  Initialiser();
  ~Initialiser();

  /// Applies one item of model.init to a parameter, in place and without a gradient history.
  /// Exactly one kind of rule must be set. Throws syntax::Refusal if the function refuses the
  /// parameter; see needs_matrix() for the shapes that it accepts.
  void fill(const at::Tensor& parameter, const recipe::Initialisation& rule);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Returns whether a rule applies only to parameters with two dimensions or more: the rules that
/// compute fan-in and fan-out (xavier, kaiming) and orthogonal.
bool needs_matrix(const recipe::Initialisation& rule);

}  // namespace knead::engine::model
