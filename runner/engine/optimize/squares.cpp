#include "runner/engine/optimize/squares.h"

#include <algorithm>
#include <cstring>

#include <ATen/Parallel.h>

namespace knead::engine::optimize {
namespace {

constexpr std::int64_t kPart = 1 << 15;  // elements: some µs of work
constexpr std::int64_t kPartsPerThread = 2;

constexpr std::int64_t kLanes = 16;
using Doubles = double __attribute__((vector_size(kLanes * sizeof(double))));
using Floats = float __attribute__((vector_size(kLanes * sizeof(float))));

/// Sums in lanes of a fixed number, whatever the width of the machine's own: the compiler may not
/// reorder one sum, but lanes it can do at once.
template <class Numbers, class Number>
double sum_squares(const Number* x, std::int64_t count) {
  Doubles sums = {};
  std::int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    Numbers loaded;
    std::memcpy(&loaded, x + i, sizeof loaded);
    const Doubles wide = __builtin_convertvector(loaded, Doubles);
    sums += wide * wide;
  }
  for (; i < count; ++i) sums[i % kLanes] += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  double sum = 0;
  for (int lane = 0; lane < kLanes; ++lane) sum += sums[lane];
  return sum;
}

}  // namespace

bool SquareSum::takes(const at::Tensor& tensor) {
  return tensor.is_cpu() && tensor.layout() == at::kStrided &&
         (tensor.scalar_type() == at::kFloat || tensor.scalar_type() == at::kDouble) &&
         tensor.is_non_overlapping_and_dense();
}

void SquareSum::add(const at::Tensor& tensor) {
  const bool is_double = tensor.scalar_type() == at::kDouble;
  const auto* memory = static_cast<const char*>(tensor.const_data_ptr());
  const std::int64_t size = tensor.element_size();
  for (std::int64_t i = 0; i < tensor.numel(); i += kPart)
    parts_.push_back({memory + i * size, std::min(kPart, tensor.numel() - i), is_double});
}

double SquareSum::total() {
  sums_.resize(parts_.size());
  at::parallel_for(
      0, static_cast<std::int64_t>(parts_.size()), kPartsPerThread,
      [this](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
          const Part& part = parts_[i];
          sums_[i] = part.is_double
                         ? sum_squares<Doubles>(static_cast<const double*>(part.first), part.count)
                         : sum_squares<Floats>(static_cast<const float*>(part.first), part.count);
        }
      });
  double sum = 0;
  for (const double part : sums_) sum += part;
  return sum;
}

}  // namespace knead::engine::optimize
