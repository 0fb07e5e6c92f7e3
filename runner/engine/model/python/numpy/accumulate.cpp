#include "runner/engine/model/python/numpy/accumulate.h"

#include <algorithm>

#include <ATen/ops/full.h>

#include "runner/engine/model/python/numpy/dtypes.h"

namespace knead::engine::model::numpy {

namespace {

/// One dimension of the loop; `kept` is the step in the result, 0 for a reduced dimension.
struct LoopAxis {
  std::int64_t size;
  std::int64_t step;
  std::int64_t kept;
  bool is_reduced;
  std::int64_t dimension;
};

/// Adds numbers pairwise: blocks of at most 128 by eight partial sums, and halves of longer runs.
/// A sum of few begins with -0, which changes no number.
template <typename Number>
Number pairwise_sum(const Number* from, std::int64_t count, std::int64_t step) {
  if (count < 8) {
    Number sum = Number(-0.0);
    for (std::int64_t i = 0; i < count; ++i) sum += from[i * step];
    return sum;
  }
  if (count <= 128) {
    Number part[8];
    for (std::int64_t j = 0; j < 8; ++j) part[j] = from[j * step];
    std::int64_t i = 8;
    for (; i < count - count % 8; i += 8) {
      for (std::int64_t j = 0; j < 8; ++j) part[j] += from[(i + j) * step];
    }
    Number sum =
        ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
    for (; i < count; ++i) sum += from[i * step];
    return sum;
  }
  std::int64_t half = count / 2;
  half -= half % 8;
  return pairwise_sum(from, half, step) + pairwise_sum(from + half * step, count - half, step);
}

/// Returns the dimensions in the order of the loop, the outermost first; neighbours that lie behind
/// each other in memory are joined.
std::vector<LoopAxis> loop_axes(const at::Tensor& numbers,
                                const std::vector<std::int64_t>& reduced) {
  std::vector<LoopAxis> axes;
  for (std::int64_t i = 0; i < numbers.dim(); ++i) {
    const bool is_reduced = std::find(reduced.begin(), reduced.end(), i) != reduced.end();
    axes.push_back({numbers.size(i), numbers.stride(i), 0, is_reduced, i});
  }
  std::stable_sort(axes.begin(), axes.end(),
                   [](const LoopAxis& a, const LoopAxis& b) { return a.step > b.step; });
  return axes;
}

std::vector<LoopAxis> joined(const std::vector<LoopAxis>& axes) {
  std::vector<LoopAxis> made;
  for (const LoopAxis& axis : axes) {
    if (axis.size == 1) continue;
    const bool is_next = !made.empty() && made.back().is_reduced == axis.is_reduced &&
                         made.back().step == axis.step * axis.size;
    if (!is_next) {
      made.push_back(axis);
      continue;
    }
    made.back().size *= axis.size;
    made.back().step = axis.step;
    made.back().kept = axis.kept;
  }
  return made;
}

/// Runs the loop over the dimensions from `place` on.
template <typename Number, typename Inner>
void run_loop(const std::vector<LoopAxis>& axes, std::size_t place, const Number* from, Number* to,
              const Inner& inner) {
  if (place + 1 >= axes.size()) {
    inner(from, to);
    return;
  }
  for (std::int64_t i = 0; i < axes[place].size; ++i) {
    run_loop(axes, place + 1, from + i * axes[place].step, to + i * axes[place].kept, inner);
  }
}

template <bool is_sum, typename Number>
void accumulate_into(const std::vector<LoopAxis>& axes, const Number* from, Number* to) {
  const LoopAxis last = axes.empty() ? LoopAxis{1, 0, 0, true, 0} : axes.back();
  run_loop(axes, 0, from, to, [&](const Number* inner_from, Number* inner_to) {
    if (is_sum && last.is_reduced) {
      *inner_to += pairwise_sum(inner_from, last.size, last.step);
      return;
    }
    for (std::int64_t i = 0; i < last.size; ++i) {
      if constexpr (is_sum) {
        inner_to[i * last.kept] += inner_from[i * last.step];
      } else {
        inner_to[i * last.kept] *= inner_from[i * last.step];
      }
    }
  });
}

/// Reduces float or double numbers; the kept dimensions are in the order of the loop first.
template <bool is_sum>
at::Tensor accumulated(const at::Tensor& numbers, const std::vector<std::int64_t>& dimensions) {
  std::vector<LoopAxis> axes = loop_axes(numbers, dimensions);
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> order;  // of the kept dimensions
  for (const LoopAxis& axis : axes) {
    if (axis.is_reduced) continue;
    sizes.push_back(axis.size);
    order.push_back(axis.dimension);
  }
  std::int64_t step = 1;
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    if (axis->is_reduced) continue;
    axis->kept = step;
    step *= axis->size;
  }
  at::Tensor made = at::full(sizes, is_sum ? 0 : 1, numbers.scalar_type());
  if (numbers.numel() > 0) {
    const auto run = [&]<typename Number>(Number) {
      accumulate_into<is_sum>(joined(axes), numbers.const_data_ptr<Number>(),
                              made.mutable_data_ptr<Number>());
    };
    numbers.scalar_type() == at::kFloat ? run(float{}) : run(double{});
  }
  // Brings the kept dimensions back to their order in the array.
  std::vector<std::int64_t> back(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    back[static_cast<std::size_t>(std::count_if(order.begin(), order.end(), [&](auto other) {
      return other < order[i];
    }))] = static_cast<std::int64_t>(i);
  }
  return made.permute(back);
}

}  // namespace

at::Tensor ordered_sum(const at::Tensor& numbers, const std::vector<std::int64_t>& dimensions) {
  const c10::ScalarType type = numbers.scalar_type();
  if (dimensions.empty()) return numbers.clone();
  if (type == at::kHalf) return ordered_sum(numbers.to(at::kFloat), dimensions).to(type);
  return is_whole(type) ? numbers.sum(dimensions, false, type)
                        : accumulated<true>(numbers, dimensions);
}

at::Tensor ordered_product(const at::Tensor& numbers, const std::vector<std::int64_t>& dimensions) {
  const c10::ScalarType type = numbers.scalar_type();
  if (type == at::kHalf) return ordered_product(numbers.to(at::kFloat), dimensions).to(type);
  if (!is_whole(type)) return accumulated<false>(numbers, dimensions);
  at::Tensor made = numbers;
  for (auto dimension = dimensions.rbegin(); dimension != dimensions.rend(); ++dimension) {
    made = made.prod(*dimension, false, type);
  }
  return made;
}

}  // namespace knead::engine::model::numpy
