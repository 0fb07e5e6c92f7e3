#pragma once

#include <memory>

#include <ATen/core/Tensor.h>

#include "recipe.h"

namespace knead::engine::model {

/// Draws parameters anew with the functions of torch.nn.init, bit for bit as Python does: from
/// LibTorch's default generator.
class Initialiser {
 public:
  Initialiser();
  ~Initialiser();

  /// Does what one item of model.init says. needs_matrix() says which parameters it can take.
  void fill(const at::Tensor& parameter, const recipe::Initialisation& rule);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Whether a rule is only for parameters of two dimensions or more.
bool needs_matrix(const recipe::Initialisation& rule);

}  // namespace knead::engine::model
