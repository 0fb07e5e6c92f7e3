#include "runner/engine/parallel/add_up.h"

#include <algorithm>
#include <array>

#include <ATen/core/Tensor.h>
#include <ATen/ops/from_blob.h>
#include <c10/core/GradMode.h>

namespace knead::engine::parallel {
namespace {

template <class Number>
Number* numbers_at(std::byte* array, std::size_t begin) {
  return reinterpret_cast<Number*>(array + begin);
}

/// Adds up numbers that have the dtype of their sums. The compiler makes vectors of the loops,
/// whose lengths it knows.
template <class Number>
void add_numbers(std::span<std::byte* const> arrays, std::size_t begin, std::size_t end) {
  constexpr std::size_t kBlock = 64;
  std::array<Number, kBlock> sums;
  for (; begin + sizeof sums <= end; begin += sizeof sums) {
    const Number* const first = numbers_at<Number>(arrays[0], begin);
    for (std::size_t i = 0; i < kBlock; ++i) sums[i] = first[i];
    for (std::byte* const array : arrays.subspan(1)) {
      const Number* const numbers = numbers_at<Number>(array, begin);
      for (std::size_t i = 0; i < kBlock; ++i) sums[i] += numbers[i];
    }
    for (std::byte* const array : arrays) {
      Number* const numbers = numbers_at<Number>(array, begin);
      for (std::size_t i = 0; i < kBlock; ++i) numbers[i] = sums[i];
    }
  }
  for (; begin < end; begin += sizeof(Number)) {
    Number sum = *numbers_at<Number>(arrays[0], begin);
    for (std::byte* const array : arrays.subspan(1)) sum += *numbers_at<Number>(array, begin);
    for (std::byte* const array : arrays) *numbers_at<Number>(array, begin) = sum;
  }
}

/// Adds up 16-bit numbers by LibTorch, which has fast conversions.
void add_16_bits(at::ScalarType type, std::span<std::byte* const> arrays, std::size_t begin,
                 std::size_t end) {
  const c10::NoGradGuard no_gradients;
  const auto count = static_cast<std::int64_t>((end - begin) / 2);
  const auto view = [&](std::byte* array) { return at::from_blob(array + begin, {count}, type); };
  at::Tensor sum = view(arrays[0]).to(at::kFloat);
  for (std::byte* const array : arrays.subspan(1)) sum.add_(view(array));
  const at::Tensor rounded = sum.to(type);
  for (std::byte* const array : arrays) view(array).copy_(rounded);
}

}  // namespace

bool can_add_up(at::ScalarType type) {
  switch (type) {
    case at::kFloat:
    case at::kDouble:
    case at::kHalf:
    case at::kBFloat16:
    case at::kComplexFloat:
    case at::kComplexDouble: return true;
    default: return false;
  }
}

void add_up(at::ScalarType type, std::span<std::byte* const> arrays, std::size_t begin,
            std::size_t end) {
  switch (type) {
    case at::kHalf:
    case at::kBFloat16: return add_16_bits(type, arrays, begin, end);
    case at::kDouble:
    case at::kComplexDouble: return add_numbers<double>(arrays, begin, end);
    default: return add_numbers<float>(arrays, begin, end);
  }
}

}  // namespace knead::engine::parallel
