#include "runner/engine/optimize/sum_of_squares.h"

#include <algorithm>

#include <ATen/Parallel.h>

namespace knead::engine::optimize {
namespace {

constexpr std::int64_t kPart = 1 << 15;   // numbers: some µs of work
constexpr std::int64_t kFew = 4 * kPart;  // numbers that one thread adds before others are awake

constexpr std::int64_t kLanes = 8;

/// Sums x² in a fixed number of lanes. The compiler may not reorder one sum, but can compute these
/// together in whatever registers the machine has.
template <class Number>
double sum_squares(const Number* x, std::int64_t count) {
  double sums[kLanes] = {};
  const std::int64_t whole = count - count % kLanes;
  for (std::int64_t i = 0; i < whole; i += kLanes) {
    for (std::int64_t lane = 0; lane < kLanes; ++lane) {
      const double value = x[i + lane];
      sums[lane] += value * value;
    }
  }
  for (std::int64_t i = whole; i < count; ++i) sums[i - whole] += static_cast<double>(x[i]) * x[i];
  double sum = 0;
  for (const double lane : sums) sum += lane;
  return sum;
}

}  // namespace

bool SumOfSquares::takes(const at::Tensor& tensor) {
  return tensor.is_cpu() && tensor.layout() == at::kStrided &&
         (tensor.scalar_type() == at::kFloat || tensor.scalar_type() == at::kDouble) &&
         tensor.is_non_overlapping_and_dense();
}

void SumOfSquares::add(const at::Tensor& tensor) {
  const bool is_double = tensor.scalar_type() == at::kDouble;
  const auto* memory = static_cast<const char*>(tensor.const_data_ptr());
  const std::int64_t size = tensor.element_size();
  for (std::int64_t i = 0; i < tensor.numel(); i += kPart)
    parts_.push_back({memory + i * size, std::min(kPart, tensor.numel() - i), is_double});
}

double SumOfSquares::total() {
  sums_.resize(parts_.size());
  std::int64_t numbers = 0;
  for (const Part& part : parts_) numbers += part.count;
  const auto count = static_cast<std::int64_t>(parts_.size());
  const auto add_up = [this](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
      const Part& part = parts_[i];
      sums_[i] = part.is_double ? sum_squares(static_cast<const double*>(part.first), part.count)
                                : sum_squares(static_cast<const float*>(part.first), part.count);
    }
  };
  if (numbers <= kFew) {
    add_up(0, count);
  } else {
    at::parallel_for(0, count, 1, add_up);
  }
  double sum = 0;
  for (const double part : sums_) sum += part;
  return sum;
}

}  // namespace knead::engine::optimize
