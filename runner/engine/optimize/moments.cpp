#include "runner/engine/optimize/moments.h"

#include <ATen/ops/_foreach_addcmul.h>
#include <ATen/ops/_foreach_lerp.h>
#include <ATen/ops/_foreach_mul.h>

namespace knead::engine::optimize {

void move_averages(Tensors& averages, Tensors& squares, const Tensors& gradients, Betas betas) {
  // A lerp and not a product and a sum: torch calls it here, and the two round differently.
  at::_foreach_lerp_(averages, gradients, 1 - betas.first);
  at::_foreach_mul_(squares, betas.second);
  at::_foreach_addcmul_(squares, gradients, gradients, 1 - betas.second);
}

Tensors decay(Lists& lists, double lr, double decay, bool is_decoupled) {
  if (!is_decoupled) return lists.gradients_with(decay);
  // Before the update, as in torch: the decay is of the old weights.
  if (decay != 0) at::_foreach_mul_(lists.parameters, 1 - lr * decay);
  return lists.gradients;
}

}  // namespace knead::engine::optimize
