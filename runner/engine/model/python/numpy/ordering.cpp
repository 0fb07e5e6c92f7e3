#include <algorithm>

#include <fmt/format.h>

#include <ATen/ops/cat.h>
#include <ATen/ops/searchsorted.h>
#include <ATen/ops/sort.h>

#include "runner/engine/model/python/numpy/dtypes.h"
#include "runner/engine/model/python/numpy/functions.h"

namespace knead::engine::model::numpy {

namespace {

struct SortedNumbers {
  at::Tensor numbers;
  at::Tensor places;
};

/// Sorts along the axis argument; equal numbers keep their order, NaN comes last.
SortedNumbers sorted_along(Evaluator& evaluator, const Value& of, const BoundArguments& bound) {
  at::Tensor numbers = array_of(evaluator, of);
  spend_array(evaluator, numbers.sizes());
  std::int64_t axis = -1;
  if (bound.has(1) && is_none(bound[1])) {
    numbers = numbers.reshape({-1});
  } else if (bound.has(1)) {
    axis = to_integer(bound[1]);
  }
  axis = to_dimension(axis, numbers.dim());
  auto [sorted, places] = at::sort(numbers, /*stable=*/true, axis, /*descending=*/false);
  return {sorted, places};
}

Value sort_function(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("sort", arguments, {"a", "axis", "kind", "order", "*stable"}, 1);
  return make_array(sorted_along(evaluator, bound[0], bound).numbers);
}

Value sort_method(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("sort", arguments, {"self", "axis", "kind", "order"}, 1);
  Array& array = **as<Array>(bound[0]);
  must_be_writable(array);
  array.numbers.copy_(sorted_along(evaluator, bound[0], bound).numbers);
  return None{};
}

Value argsort(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("argsort", arguments, {"a", "axis", "kind", "order", "*stable"}, 1);
  return make_array(sorted_along(evaluator, bound[0], bound).places);
}

/// Returns where a run of equal numbers begins in sorted ones; all NaN are one run.
at::Tensor run_begins(const at::Tensor& sorted) {
  if (sorted.numel() == 0) return sorted.to(at::kBool);
  const at::Tensor after = sorted.slice(0, 1);
  const at::Tensor before = sorted.slice(0, 0, sorted.size(0) - 1);
  at::Tensor differs = after.ne(before);
  if (is_float(sorted.scalar_type())) {
    differs = differs.logical_and(at::isnan(after).logical_and(at::isnan(before)).logical_not());
  }
  return at::cat({at::full({1}, true, at::kBool), differs});
}

Value unique(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("unique", arguments,
                             {"ar", "return_index", "return_inverse", "return_counts", "axis"}, 1);
  if (!is_none(bound.or_none(4)))
    throw Mistake("unique() along an axis is not available to models");
  const at::Tensor numbers = array_of(evaluator, bound[0]);
  evaluator.spend(2 * numbers.numel());  // sorted, compared and gathered
  const auto [sorted, places] = at::sort(numbers.reshape({-1}), true, 0, false);
  const at::Tensor begins = run_begins(sorted).nonzero().reshape({-1});
  Values made{make_array(sorted.index({begins}))};
  if (bound.flag(1, false)) made.push_back(make_array(places.index({begins})));
  if (bound.flag(2, false)) {
    const at::Tensor run = run_begins(sorted).cumsum(0).sub(1);
    at::Tensor inverse = at::empty_like(places);
    inverse.scatter_(0, places, run);
    made.push_back(make_array(inverse.reshape(numbers.sizes())));
  }
  if (bound.flag(3, false)) {
    const at::Tensor ends =
        at::cat({begins.slice(0, std::min<std::int64_t>(1, begins.numel())),
                 at::full({begins.numel() == 0 ? 0 : 1}, sorted.numel(), at::kLong)});
    made.push_back(make_array(ends.sub(begins)));
  }
  return made.size() == 1 ? made.front() : make_tuple(std::move(made));
}

Value search_sorted(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("searchsorted", arguments, {"a", "v", "side"}, 2);
  const at::Tensor sorted = array_of(evaluator, bound[0]);
  const at::Tensor wanted = array_of(evaluator, bound[1]);
  const std::string side = bound.has(2) ? to_text(bound[2], "side") : "left";
  const c10::ScalarType type = promoted(sorted.scalar_type(), wanted.scalar_type());
  spend_array(evaluator, wanted.sizes());
  return result_of(at::searchsorted(sorted.to(type).contiguous(), wanted.to(type).contiguous(),
                                    /*out_int32=*/false, side == "right"));
}

Value bincount(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("bincount", arguments, {"x", "weights", "minlength"}, 1);
  const at::Tensor numbers = array_of(evaluator, bound[0]);
  const std::int64_t least = bound.has(2) ? to_integer(bound[2]) : 0;
  if (!is_whole(numbers.scalar_type())) {
    throw Mistake::of("TypeError",
                      "Cannot cast array data from dtype('float64') to dtype('int64') "
                      "according to the rule 'safe'");
  }
  if (numbers.numel() > 0) {
    if (numbers.min().item<std::int64_t>() < 0) {
      throw Mistake::of("ValueError", "'list' argument must have no negative elements");
    }
    spend_array(evaluator, {numbers.max().item<std::int64_t>() + 1});
  }
  spend_array(evaluator, {least});
  if (is_none(bound.or_none(1))) return make_array(numbers.to(at::kLong).bincount({}, least));
  const at::Tensor weights = array_of(evaluator, bound[1]).to(at::kDouble);
  return make_array(numbers.to(at::kLong).bincount(weights, least));
}

}  // namespace

void add_ordering(const Library& library) {
  library.function("sort", sort_function);
  add_method(library.array, "sort", sort_method);
  library.function_and_method("argsort", argsort);
  library.function("unique", unique);
  library.function_and_method("searchsorted", search_sorted);
  library.function("bincount", bincount);
}

}  // namespace knead::engine::model::numpy
