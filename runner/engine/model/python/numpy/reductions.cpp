#include <algorithm>

#include <fmt/format.h>

#include <ATen/ops/all.h>
#include <ATen/ops/amax.h>
#include <ATen/ops/amin.h>
#include <ATen/ops/any.h>
#include <ATen/ops/argmax.h>
#include <ATen/ops/argmin.h>
#include <ATen/ops/full.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/where.h>

#include "runner/engine/model/python/numpy/accumulate.h"
#include "runner/engine/model/python/numpy/dtypes.h"
#include "runner/engine/model/python/numpy/elementwise.h"
#include "runner/engine/model/python/numpy/functions.h"
#include "runner/engine/model/python/numpy/square_root.h"

namespace knead::engine::model::numpy {

namespace {

/// The arguments of a reduction.
struct Reduction {
  at::Tensor numbers;
  std::vector<std::int64_t> dimensions;  // sorted
  bool keeps = false;

  /// Returns the result with dimensions of size 1 for the reduced ones if keepdims asks for them.
  Value finished(at::Tensor made) const {
    if (keeps) {
      for (const std::int64_t dimension : dimensions) made = made.unsqueeze(dimension);
      return make_array(made);
    }
    return result_of(made);
  }
  std::int64_t count() const {
    std::int64_t items = 1;
    for (const std::int64_t dimension : dimensions) items *= numbers.size(dimension);
    return items;
  }
};

/// Reads the argument at index 0, and axis and keepdims at the given indices.
Reduction reduction_of(Evaluator& evaluator, const BoundArguments& bound, std::size_t axis,
                       std::size_t keepdims) {
  Reduction made;
  made.numbers = array_of(evaluator, bound[0]);
  made.dimensions = to_dimensions(evaluator, bound.or_none(axis), made.numbers.dim());
  made.keeps = bound.flag(keepdims, false);
  spend_array(evaluator, made.numbers.sizes());
  return made;
}

/// Returns the dtype in which sums are made: int64 for shorter whole numbers.
c10::ScalarType sum_type(const Value& dtype, c10::ScalarType type) {
  return to_array_type(dtype).value_or(is_whole(type) ? at::kLong : type);
}

template <bool is_sum>
Value total(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound(is_sum ? "sum" : "prod", arguments,
                             {"a", "axis", "dtype", "out", "keepdims", "initial", "where"}, 1);
  must_be_absent(bound, 3, "out");
  must_be_absent(bound, 6, "where");
  Reduction reduction = reduction_of(evaluator, bound, 1, 4);
  reduction.numbers =
      reduction.numbers.to(sum_type(bound.or_none(2), reduction.numbers.scalar_type()));
  const Value made =
      reduction.finished(is_sum ? ordered_sum(reduction.numbers, reduction.dimensions)
                                : ordered_product(reduction.numbers, reduction.dimensions));
  if (!bound.has(5)) return made;
  return binary_function(evaluator, is_sum ? "add" : "multiply", bound[5], made);
}

at::Tensor mean_of(const Reduction& reduction, c10::ScalarType type) {
  const c10::ScalarType inner = type == at::kHalf ? at::kFloat : type;
  return ordered_sum(reduction.numbers.to(inner), reduction.dimensions)
      .div(static_cast<double>(reduction.count()));
}

c10::ScalarType mean_type(const Value& dtype, c10::ScalarType type) {
  return to_array_type(dtype).value_or(is_whole(type) ? at::kDouble : type);
}

Value mean(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("mean", arguments, {"a", "axis", "dtype", "out", "keepdims"}, 1);
  must_be_absent(bound, 3, "out");
  const Reduction reduction = reduction_of(evaluator, bound, 1, 4);
  const c10::ScalarType type = mean_type(bound.or_none(2), reduction.numbers.scalar_type());
  return reduction.finished(mean_of(reduction, type).to(type));
}

/// Implements var and std: the mean of the squared distances from the mean.
template <bool is_root>
Value variance(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound(is_root ? "std" : "var", arguments,
                             {"a", "axis", "dtype", "out", "ddof", "keepdims", "*correction"}, 1);
  must_be_absent(bound, 3, "out");
  Reduction reduction = reduction_of(evaluator, bound, 1, 5);
  const c10::ScalarType type = mean_type(bound.or_none(2), reduction.numbers.scalar_type());
  const c10::ScalarType inner = type == at::kHalf ? at::kFloat : type;
  at::Tensor mean = mean_of(reduction, type);
  for (const std::int64_t dimension : reduction.dimensions) mean = mean.unsqueeze(dimension);
  const at::Tensor distances = reduction.numbers.to(inner).sub(mean);
  const Value& freedom = bound.has(6) ? bound[6] : bound.or_none(4);
  const double ddof = is_none(freedom) ? 0 : float_of(freedom);
  const double count = std::max(static_cast<double>(reduction.count()) - ddof, 0.0);
  const at::Tensor made = ordered_sum(distances.mul(distances), reduction.dimensions).div(count);
  return reduction.finished((is_root ? square_root(made) : made).to(type));
}

template <bool is_largest>
Value extreme_of(Evaluator& evaluator, const Arguments& arguments) {
  const char* name = is_largest ? "max" : "min";
  const BoundArguments bound(name, arguments, {"a", "axis", "out", "keepdims", "initial"}, 1);
  must_be_absent(bound, 2, "out");
  const Reduction reduction = reduction_of(evaluator, bound, 1, 3);
  const char* function = is_largest ? "maximum" : "minimum";
  if (reduction.count() == 0) {
    if (bound.has(4)) return bound[4];
    throw Mistake::of(
        "ValueError",
        fmt::format("zero-size array to reduction operation {} which has no identity", function));
  }
  at::Tensor made = reduction.numbers;
  if (!reduction.dimensions.empty()) {
    made = is_largest ? at::amax(made, reduction.dimensions) : at::amin(made, reduction.dimensions);
  }
  const Value result = reduction.finished(made);
  return bound.has(4) ? binary_function(evaluator, function, result, bound[4]) : result;
}

Value peak_to_peak(Evaluator& evaluator, const Arguments& arguments) {
  return binary_function(evaluator, "subtract", extreme_of<true>(evaluator, arguments),
                         extreme_of<false>(evaluator, arguments));
}

template <bool is_largest>
Value place_of_extreme(Evaluator& evaluator, const Arguments& arguments) {
  const char* name = is_largest ? "argmax" : "argmin";
  const BoundArguments bound(name, arguments, {"a", "axis", "out", "*keepdims"}, 1);
  must_be_absent(bound, 2, "out");
  at::Tensor numbers = array_of(evaluator, bound[0]);
  spend_array(evaluator, numbers.sizes());
  if (numbers.numel() == 0) {
    throw Mistake::of("ValueError", fmt::format("attempt to get {} of an empty sequence", name));
  }
  if (numbers.scalar_type() == at::kBool) numbers = numbers.to(at::kByte);
  std::optional<std::int64_t> axis;
  if (!is_none(bound.or_none(1))) axis = to_dimension(to_integer(bound[1]), numbers.dim());
  const bool keeps = bound.flag(3, false);
  return result_of(is_largest ? at::argmax(numbers, axis, keeps)
                              : at::argmin(numbers, axis, keeps));
}

template <bool is_all>
Value logical(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound(is_all ? "all" : "any", arguments, {"a", "axis", "out", "keepdims"},
                             1);
  must_be_absent(bound, 2, "out");
  const Reduction reduction = reduction_of(evaluator, bound, 1, 3);
  at::Tensor made = reduction.numbers.ne(0);
  for (auto axis = reduction.dimensions.rbegin(); axis != reduction.dimensions.rend(); ++axis) {
    made = is_all ? at::all(made, *axis) : at::any(made, *axis);
  }
  return reduction.finished(made);
}

Value count_nonzero(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("count_nonzero", arguments, {"a", "axis", "*keepdims"}, 1);
  const Reduction reduction = reduction_of(evaluator, bound, 1, 2);
  return reduction.finished(
      ordered_sum(reduction.numbers.ne(0).to(at::kLong), reduction.dimensions));
}

/// Implements np.median: the middle one, or the mean of the two middle ones.
Value median(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("median", arguments,
                             {"a", "axis", "out", "overwrite_input", "keepdims"}, 1);
  must_be_absent(bound, 2, "out");
  const Reduction reduction = reduction_of(evaluator, bound, 1, 4);
  if (reduction.dimensions.size() > 1 && !is_none(bound.or_none(1))) {
    throw Mistake("median() of several axes is not available to models");
  }
  const c10::ScalarType type = mean_type(None{}, reduction.numbers.scalar_type());
  const bool is_flat = is_none(bound.or_none(1));
  const std::int64_t axis = is_flat ? 0 : reduction.dimensions.front();
  const at::Tensor numbers = is_flat ? reduction.numbers.reshape({-1}) : reduction.numbers;
  const at::Tensor sorted = std::get<0>(numbers.to(type).sort(axis));
  const std::int64_t size = sorted.size(axis);
  if (size == 0) return result_of(at::full({}, std::numeric_limits<double>::quiet_NaN(), type));
  const at::Tensor low = sorted.select(axis, (size - 1) / 2);
  const at::Tensor high = sorted.select(axis, size / 2);
  const at::Tensor last = sorted.select(axis, size - 1);
  const at::Tensor middle = size % 2 == 1 ? low : low.add(high).div(2);
  return reduction.finished(at::where(at::isnan(last), last, middle));
}

}  // namespace

void add_reductions(const Library& library) {
  const std::pair<const char*, Method> functions[] = {{"sum", total<true>},
                                                      {"prod", total<false>},
                                                      {"mean", mean},
                                                      {"var", variance<false>},
                                                      {"std", variance<true>},
                                                      {"max", extreme_of<true>},
                                                      {"min", extreme_of<false>},
                                                      {"argmax", place_of_extreme<true>},
                                                      {"argmin", place_of_extreme<false>},
                                                      {"all", logical<true>},
                                                      {"any", logical<false>}};
  for (const auto& [name, function] : functions) library.function_and_method(name, function);
  library.function("amax", extreme_of<true>);
  library.function("amin", extreme_of<false>);
  library.function("ptp", peak_to_peak);
  library.function("average", mean);
  library.function("median", median);
  library.function("count_nonzero", count_nonzero);
}

}  // namespace knead::engine::model::numpy
