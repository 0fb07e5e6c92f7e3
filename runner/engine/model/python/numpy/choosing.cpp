#include <algorithm>

#include <fmt/format.h>

#include <ATen/ops/full.h>
#include <ATen/ops/index_select.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/nan_to_num.h>
#include <ATen/ops/where.h>

#include "runner/engine/model/python/numpy/dtypes.h"
#include "runner/engine/model/python/numpy/elementwise.h"
#include "runner/engine/model/python/numpy/functions.h"
#include "runner/engine/model/python/numpy/indexing.h"

namespace knead::engine::model::numpy {

namespace {

/// Implements nonzero and where(condition): an array of places for each dimension.
Value places_of(Evaluator& evaluator, const at::Tensor& numbers) {
  if (numbers.dim() == 0) {
    throw Mistake::of("ValueError",
                      "Calling nonzero on 0d arrays is not allowed. Use "
                      "np.atleast_1d(scalar).nonzero() instead.");
  }
  spend_array(evaluator, numbers.sizes());
  Values made;
  for (const at::Tensor& places : numbers.nonzero().unbind(1)) {
    made.push_back(make_array(places.contiguous()));
  }
  return make_tuple(std::move(made));
}

Value nonzero(Evaluator& evaluator, const Arguments& arguments) {
  return places_of(evaluator,
                   array_of(evaluator, BoundArguments("nonzero", arguments, {"a"}, 1)[0]));
}

Value argwhere(Evaluator& evaluator, const Arguments& arguments) {
  const at::Tensor numbers =
      array_of(evaluator, BoundArguments("argwhere", arguments, {"a"}, 1)[0]);
  spend_array(evaluator, numbers.sizes());
  return make_array(numbers.nonzero());
}

Value flatnonzero(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("flatnonzero", arguments, {"a"}, 1);
  const Value places = places_of(evaluator, array_of(evaluator, bound[0]).reshape({-1}));
  return sequence(places)->front();
}

Value where(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("where", arguments, {"condition", "x", "y"}, 1);
  const at::Tensor condition = array_of(evaluator, bound[0]);
  if (!bound.has(1) && !bound.has(2)) return places_of(evaluator, condition);
  if (!bound.has(1) || !bound.has(2)) {
    throw Mistake::of("ValueError", "either both or neither of x and y should be given");
  }
  const Operand x = operand_of(evaluator, bound[1]);
  const Operand y = operand_of(evaluator, bound[2]);
  const c10::ScalarType type = result_type({x, y});
  const auto shape = broadcast_shape({condition, x.numbers, y.numbers});
  spend_array(evaluator, shape);
  const at::Tensor made =
      at::where(condition.ne(0).expand(shape), x.numbers.to(type), y.numbers.to(type));
  return make_array(made);
}

/// Implements clip; a bound may be None.
Value clip(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("clip", arguments, {"a", "a_min", "a_max", "out", "*min", "*max"}, 1);
  must_be_absent(bound, 3, "out");
  Value made = bound[0];
  const Value& least = bound.has(4) ? bound[4] : bound.or_none(1);
  const Value& most = bound.has(5) ? bound[5] : bound.or_none(2);
  if (!is_none(least)) made = binary_function(evaluator, "maximum", made, least);
  if (!is_none(most)) made = binary_function(evaluator, "minimum", made, most);
  const bool is_unchanged = is_none(least) && is_none(most);
  return is_unchanged ? result_of(array_of(evaluator, made).clone()) : made;
}

Value take(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("take", arguments, {"a", "indices", "axis"}, 2);
  at::Tensor numbers = array_of(evaluator, bound[0]);
  if (is_none(bound.or_none(2))) numbers = numbers.reshape({-1});
  const std::int64_t axis =
      is_none(bound.or_none(2)) ? 0 : to_dimension(to_integer(bound[2]), numbers.dim());
  const at::Tensor places =
      checked_positions(array_of(evaluator, bound[1]), axis, numbers.size(axis));
  std::vector<std::int64_t> sizes = numbers.sizes().vec();
  const auto place = sizes.begin() + axis;
  sizes.insert(sizes.erase(place), places.sizes().begin(), places.sizes().end());
  spend_array(evaluator, sizes);
  return result_of(at::index_select(numbers, axis, places.reshape({-1})).reshape(sizes));
}

Value take_along_axis(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("take_along_axis", arguments, {"arr", "indices", "axis"}, 2);
  const at::Tensor numbers = array_of(evaluator, bound[0]);
  const std::int64_t axis = to_dimension(bound.has(2) ? to_integer(bound[2]) : -1, numbers.dim());
  const at::Tensor places =
      checked_positions(array_of(evaluator, bound[1]), axis, numbers.size(axis));
  spend_array(evaluator, places.sizes());
  return make_array(numbers.gather(axis, places));
}

Value delete_items(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("delete", arguments, {"arr", "obj", "axis"}, 2);
  at::Tensor numbers = array_of(evaluator, bound[0]);
  if (is_none(bound.or_none(2))) numbers = numbers.reshape({-1});
  const std::int64_t axis =
      is_none(bound.or_none(2)) ? 0 : to_dimension(to_integer(bound[2]), numbers.dim());
  const at::Tensor places =
      checked_positions(array_of(evaluator, bound[1]), axis, numbers.size(axis)).reshape({-1});
  spend_array(evaluator, numbers.sizes());
  at::Tensor kept = at::full({numbers.size(axis)}, true, at::kBool);
  kept.index_fill_(0, places, false);
  return make_array(at::index_select(numbers, axis, kept.nonzero().reshape({-1})));
}

// --- comparisons with a tolerance

/// Returns |a - b| <= atol + rtol * |b| for each item; equal infinities are close.
at::Tensor close_items(Evaluator& evaluator, const BoundArguments& bound) {
  const at::Tensor a = array_of(evaluator, bound[0]).to(at::kDouble);
  const at::Tensor b = array_of(evaluator, bound[1]).to(at::kDouble);
  const auto shape = broadcast_shape({a, b});
  spend_array(evaluator, shape);
  const double relative = bound.has(2) ? float_of(plain(bound[2])) : 1e-5;
  const double absolute = bound.has(3) ? float_of(plain(bound[3])) : 1e-8;
  const at::Tensor bounds = b.abs().mul(relative).add(absolute);
  at::Tensor made = a.sub(b).abs().le(bounds).logical_and(b.isfinite()).logical_or(a.eq(b));
  if (bound.flag(4, false)) made = made.logical_or(a.isnan().logical_and(b.isnan()));
  return made.expand(shape);
}

Value isclose(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("isclose", arguments, {"a", "b", "rtol", "atol", "equal_nan"}, 2);
  return result_of(close_items(evaluator, bound));
}

Value allclose(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("allclose", arguments, {"a", "b", "rtol", "atol", "equal_nan"}, 2);
  return close_items(evaluator, bound).all().item<bool>();
}

Value array_equal(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("array_equal", arguments, {"a1", "a2"}, 2);
  const at::Tensor a = array_of(evaluator, bound[0]);
  const at::Tensor b = array_of(evaluator, bound[1]);
  if (a.sizes() != b.sizes()) return false;
  const c10::ScalarType type = promoted(a.scalar_type(), b.scalar_type());
  return a.to(type).eq(b.to(type)).all().item<bool>();
}

Value isin(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("isin", arguments, {"element", "test_elements"}, 2);
  const at::Tensor items = array_of(evaluator, bound[0]);
  const at::Tensor among = array_of(evaluator, bound[1]).reshape({-1});
  spend_array(evaluator, {items.numel(), among.numel()});
  const c10::ScalarType type = promoted(items.scalar_type(), among.scalar_type());
  return result_of(items.to(type).unsqueeze(-1).eq(among.to(type)).any(-1));
}

Value nan_to_num(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("nan_to_num", arguments, {"x", "copy", "nan", "posinf", "neginf"}, 1);
  const at::Tensor numbers = array_of(evaluator, bound[0]);
  spend_array(evaluator, numbers.sizes());
  if (is_whole(numbers.scalar_type())) return result_of(numbers.clone());
  const auto number = [&](std::size_t place) {
    const Value& value = bound.or_none(place);
    return is_none(value) ? std::nullopt : std::optional(float_of(plain(value)));
  };
  return result_of(at::nan_to_num(numbers, number(2), number(3), number(4)));
}

}  // namespace

void add_choosing(const Library& library) {
  const std::pair<const char*, Method> functions[] = {{"flatnonzero", flatnonzero},
                                                      {"argwhere", argwhere},
                                                      {"where", where},
                                                      {"take_along_axis", take_along_axis},
                                                      {"delete", delete_items},
                                                      {"isclose", isclose},
                                                      {"allclose", allclose},
                                                      {"array_equal", array_equal},
                                                      {"isin", isin},
                                                      {"nan_to_num", nan_to_num}};
  for (const auto& [name, function] : functions) library.function(name, function);
  library.function_and_method("nonzero", nonzero);
  library.function_and_method("clip", clip);
  library.function_and_method("take", take);
}

}  // namespace knead::engine::model::numpy
