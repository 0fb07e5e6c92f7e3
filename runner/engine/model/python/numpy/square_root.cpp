#include "runner/engine/model/python/numpy/square_root.h"

#include <cmath>

#include <ATen/ops/empty_like.h>
#include <ATen/ops/sqrt.h>

namespace knead::engine::model::numpy {
namespace {

template <typename Number>
void replace_by_roots(const at::Tensor& numbers) {
  auto* const first = numbers.mutable_data_ptr<Number>();
  for (std::int64_t i = 0; i < numbers.numel(); ++i) first[i] = std::sqrt(first[i]);
}

}  // namespace

at::Tensor square_root(const at::Tensor& numbers) {
  const bool is_double = numbers.scalar_type() == at::kDouble;
  if (!is_double && numbers.scalar_type() != at::kFloat) return at::sqrt(numbers);
  // The copy has no gaps, in whatever order its dimensions lie, and that order stays.
  at::Tensor roots = at::empty_like(numbers).copy_(numbers);
  if (is_double) {
    replace_by_roots<double>(roots);
  } else {
    replace_by_roots<float>(roots);
  }
  return roots;
}

}  // namespace knead::engine::model::numpy
