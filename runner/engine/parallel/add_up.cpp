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

/// Adds sums of numbers of the dtype of the target. Each sum is made before it is added.
template <class Number>
void add_numbers_into(Number* target, std::span<const std::byte* const> arrays, std::size_t begin,
                      std::size_t end) {
  constexpr std::size_t kBlock = 64;
  std::array<Number, kBlock> sums;
  const auto at = [begin](const std::byte* array, std::size_t number) {
    return reinterpret_cast<const Number*>(array + begin) + number;
  };
  const std::size_t count = (end - begin) / sizeof(Number);
  for (std::size_t first = 0; first < count; first += kBlock) {
    const std::size_t length = std::min(kBlock, count - first);
    std::copy_n(at(arrays[0], first), length, sums.begin());
    for (const std::byte* const array : arrays.subspan(1)) {
      const Number* const numbers = at(array, first);
      for (std::size_t i = 0; i < length; ++i) sums[i] += numbers[i];
    }
    for (std::size_t i = 0; i < length; ++i) target[first + i] += sums[i];
  }
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

void add_up_into(const at::Tensor& target, at::ScalarType type,
                 std::span<const std::byte* const> arrays, std::size_t begin, std::size_t end) {
  if (begin == end) return;
  if (type == at::kFloat && target.scalar_type() == at::kFloat)
    return add_numbers_into(target.mutable_data_ptr<float>(), arrays, begin, end);
  if (type == at::kDouble && target.scalar_type() == at::kDouble)
    return add_numbers_into(target.mutable_data_ptr<double>(), arrays, begin, end);
  const c10::NoGradGuard no_gradients;
  const bool is_short = c10::elementSize(type) == 2;
  const auto view = [&](const std::byte* array) {
    return at::from_blob(const_cast<std::byte*>(array) + begin, {target.numel()}, type);
  };
  at::Tensor sum = view(arrays[0]).to(is_short ? at::kFloat : type, /*non_blocking=*/false,
                                      /*copy=*/true);
  for (const std::byte* const array : arrays.subspan(1)) sum.add_(view(array));
  target.add_(sum);
}

}  // namespace knead::engine::parallel
