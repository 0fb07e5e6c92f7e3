#include <algorithm>
#include <cmath>
#include <numbers>

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>

#include "runner/engine/model/python/numpy/dtypes.h"
#include "runner/engine/model/python/numpy/elementwise.h"
#include "runner/engine/model/python/numpy/functions.h"
#include "runner/engine/model/python/numpy/kernels.h"
#include "runner/engine/model/python/numpy/sine.h"

namespace knead::engine::model::numpy {

namespace {

/// Adds or multiplies along a dimension, one number after the other.
template <bool is_sum>
at::Tensor running(const at::Tensor& numbers, std::int64_t dimension) {
  const at::Tensor in = numbers.transpose(dimension, -1).contiguous();
  at::Tensor out = at::empty_like(in);
  const std::int64_t size = in.size(-1);
  with_number_type(in.scalar_type(), [&]<typename Number>(Number) {
    const Number* from = in.const_data_ptr<Number>();
    Number* to = out.mutable_data_ptr<Number>();
    for (std::int64_t i = 0; i < in.numel(); ++i) {
      const bool is_first = i % size == 0;
      if constexpr (std::is_same_v<Number, bool>) {
        to[i] = is_first ? from[i] : to[i - 1] || from[i];
      } else if constexpr (std::is_integral_v<Number>) {
        using Wrapping = std::make_unsigned_t<Number>;
        const auto before = static_cast<Wrapping>(is_first ? (is_sum ? 0 : 1) : to[i - 1]);
        const auto one = static_cast<Wrapping>(from[i]);
        to[i] = static_cast<Number>(is_sum ? before + one : before * one);
      } else {
        to[i] = is_first ? from[i] : is_sum ? to[i - 1] + from[i] : to[i - 1] * from[i];
      }
    }
  });
  return out.transpose(dimension, -1);
}

template <bool is_sum>
Value running_total(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound(is_sum ? "cumsum" : "cumprod", arguments,
                             {"a", "axis", "dtype", "out"}, 1);
  must_be_absent(bound, 3, "out");
  at::Tensor numbers = array_of(evaluator, bound[0]);
  spend_array(evaluator, numbers.sizes());
  const c10::ScalarType type = numbers.scalar_type();
  numbers = numbers.to(to_array_type(bound.or_none(2)).value_or(is_whole(type) ? at::kLong : type));
  const bool is_flat = is_none(bound.or_none(1));
  if (is_flat) numbers = numbers.reshape({-1});
  const std::int64_t axis = is_flat ? 0 : to_dimension(to_integer(bound[1]), numbers.dim());
  if (numbers.numel() == 0) return make_array(numbers);
  if (numbers.scalar_type() != at::kHalf) return make_array(running<is_sum>(numbers, axis));
  return make_array(running<is_sum>(numbers.to(at::kFloat), axis).to(at::kHalf));
}

Value diff(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("diff", arguments, {"a", "n", "axis"}, 1);
  at::Tensor numbers = array_of(evaluator, bound[0]);
  spend_array(evaluator, numbers.sizes());
  if (numbers.dim() == 0) {
    throw Mistake::of("ValueError", "diff requires input that is at least one dimensional");
  }
  const std::int64_t axis = to_dimension(bound.has(2) ? to_integer(bound[2]) : -1, numbers.dim());
  const std::int64_t times = bound.has(1) ? to_integer(bound[1]) : 1;
  for (std::int64_t i = 0; i < times; ++i) {
    const std::int64_t size = numbers.size(axis);
    const at::Tensor after = numbers.slice(axis, std::min<std::int64_t>(1, size), size);
    const at::Tensor before = numbers.slice(axis, 0, std::max<std::int64_t>(size - 1, 0));
    numbers = numbers.scalar_type() == at::kBool ? after.ne(before) : after.sub(before);
  }
  return make_array(numbers);
}

// --- windows of signals, as torch models of audio make them

/// Implements hamming, hanning and blackman: a sum of cosines.
template <int kind>
Value window(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("window", arguments, {"M"}, 1);
  const auto size = static_cast<std::int64_t>(float_of(plain(bound[0])));
  spend_array(evaluator, {std::max<std::int64_t>(size, 0)});
  at::Tensor made = at::empty({std::max<std::int64_t>(size, 0)}, at::kDouble);
  double* to = made.mutable_data_ptr<double>();
  if (size == 1) to[0] = 1;
  for (std::int64_t i = 0; size > 1 && i < size; ++i) {
    const auto n = static_cast<double>(1 - size + 2 * i);
    const double angle = std::numbers::pi * n / static_cast<double>(size - 1);
    if (kind == 0) to[i] = 0.54 + 0.46 * std::cos(angle);
    if (kind == 1) to[i] = 0.5 + 0.5 * std::cos(angle);
    if (kind == 2) {
      const double twice = 2.0 * std::numbers::pi * n / static_cast<double>(size - 1);
      to[i] = 0.42 + 0.5 * std::cos(angle) + 0.08 * std::cos(twice);
    }
  }
  return make_array(made);
}

/// Implements np.sinc: sin(pi x) / (pi x).
Value sinc(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("sinc", arguments, {"x"}, 1);
  const at::Tensor numbers = array_of(evaluator, bound[0]);
  spend_array(evaluator, numbers.sizes());
  const c10::ScalarType type =
      is_whole(numbers.scalar_type()) ? at::kDouble : numbers.scalar_type();
  const c10::ScalarType inner = type == at::kHalf ? at::kFloat : type;
  return result_of(mapped<[](auto x) {
                     using Number = decltype(x);
                     // Like NumPy, a tiny number in place of 0 makes the quotient 1.
                     const Number tiny =
                         std::is_same_v<Number, float> ? Number(1.1920929e-07F) : Number(1e-20);
                     const Number angle = Number(std::numbers::pi) * (x == 0 ? tiny : x);
                     return sine(angle) / angle;
                   }>(numbers.to(inner))
                       .to(type));
}

/// Implements np.interp: the straight lines between points with increasing places.
Value interp(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("interp", arguments, {"x", "xp", "fp", "left", "right"}, 3);
  const at::Tensor x = array_of(evaluator, bound[0]).to(at::kDouble).contiguous();
  const at::Tensor xp = array_of(evaluator, bound[1]).to(at::kDouble).contiguous();
  const at::Tensor fp = array_of(evaluator, bound[2]).to(at::kDouble).contiguous();
  if (xp.dim() != 1 || xp.sizes() != fp.sizes() || xp.numel() == 0) {
    throw Mistake::of("ValueError", "fp and xp are not of the same length.");
  }
  spend_array(evaluator, x.sizes());
  at::Tensor made = at::empty_like(x);
  const double* places = xp.const_data_ptr<double>();
  const double* heights = fp.const_data_ptr<double>();
  const std::int64_t count = xp.numel();
  const double low = bound.has(3) ? float_of(plain(bound[3])) : heights[0];
  const double high = bound.has(4) ? float_of(plain(bound[4])) : heights[count - 1];
  for (std::int64_t i = 0; i < x.numel(); ++i) {
    const double one = x.const_data_ptr<double>()[i];
    const double* above = std::upper_bound(places, places + count, one);
    double value = one;
    if (std::isnan(one)) {
      value = one;
    } else if (above == places) {
      value = low;
    } else if (above == places + count) {
      value = one > places[count - 1] ? high : heights[count - 1];
    } else {
      const std::int64_t j = above - places - 1;
      const double slope = (heights[j + 1] - heights[j]) / (places[j + 1] - places[j]);
      value = places[j] == one ? heights[j] : slope * (one - places[j]) + heights[j];
    }
    made.mutable_data_ptr<double>()[i] = value;
  }
  return result_of(made);
}

}  // namespace

void add_running(const Library& library) {
  library.function_and_method("cumsum", running_total<true>);
  library.function_and_method("cumprod", running_total<false>);
  library.function("diff", diff);
  library.function("hamming", window<0>);
  library.function("hanning", window<1>);
  library.function("blackman", window<2>);
  library.function("sinc", sinc);
  library.function("interp", interp);
}

}  // namespace knead::engine::model::numpy
