#include "runner/engine/optimize/rule.h"

#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_foreach_mul.h>
#include <ATen/ops/zeros.h>

namespace knead::engine::optimize {

void Lists::scale_gradients(double factor) {
  if (factor != 1) at::_foreach_mul_(gradients, factor);
}

Tensors Lists::gradients_with(double share) const {
  return share == 0 ? gradients : at::_foreach_add(gradients, parameters, share);
}

at::Tensor zero_count() { return at::zeros({}, at::kFloat); }

std::vector<double> count_up(Tensors& steps) {
  count_update(steps);
  std::vector<double> counts;
  // As double: torch computes bias corrections from Python's floats.
  counts.reserve(steps.size());
  for (const at::Tensor& step : steps) counts.push_back(*step.const_data_ptr<float>());
  return counts;
}

}  // namespace knead::engine::optimize
