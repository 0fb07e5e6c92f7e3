#include <algorithm>

#include <fmt/format.h>

#include <ATen/ops/cat.h>
#include <ATen/ops/meshgrid.h>
#include <ATen/ops/stack.h>

#include "runner/engine/model/python/numpy/dtypes.h"
#include "runner/engine/model/python/numpy/functions.h"

namespace knead::engine::model::numpy {

namespace {

/// Returns the arrays of a sequence in their common dtype.
std::vector<at::Tensor> arrays_of(Evaluator& evaluator, const Value& values) {
  std::vector<at::Tensor> arrays;
  for (const Value& value : evaluator.items(values)) arrays.push_back(array_of(evaluator, value));
  if (arrays.empty()) {
    throw Mistake::of("ValueError", "need at least one array to concatenate");
  }
  c10::ScalarType type = arrays.front().scalar_type();
  std::int64_t items = 0;
  for (const at::Tensor& array : arrays) {
    type = promoted(type, array.scalar_type());
    items += array.numel();
  }
  spend_array(evaluator, {items});
  for (at::Tensor& array : arrays) array = array.to(type);
  return arrays;
}

at::Tensor concatenated(const std::vector<at::Tensor>& arrays, std::int64_t axis) {
  const at::Tensor& first = arrays.front();
  if (first.dim() == 0) {
    throw Mistake::of("ValueError", "zero-dimensional arrays cannot be concatenated");
  }
  const std::int64_t along = to_dimension(axis, first.dim());
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    if (arrays[i].dim() != first.dim()) {
      throw Mistake::of(
          "ValueError",
          fmt::format(
              "all the input array dimensions must match exactly, but along dimension 0, the "
              "array at index 0 has {} dimension(s) and the array at index {} has {} "
              "dimension(s)",
              first.dim(), i, arrays[i].dim()));
    }
    for (std::int64_t d = 0; d < first.dim(); ++d) {
      if (d == along || arrays[i].size(d) == first.size(d)) continue;
      throw Mistake::of(
          "ValueError",
          fmt::format("all the input array dimensions except for the concatenation axis must match "
                      "exactly, but along dimension {}, the array at index 0 has size {} and the "
                      "array at index {} has size {}",
                      d, first.size(d), i, arrays[i].size(d)));
    }
  }
  // at::cat leaves out an array of shape (0,), whatever the shapes of the others are.
  return at::cat(arrays, along);
}

Value concatenate(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("concatenate", arguments, {"arrays", "axis", "out", "*dtype"}, 1);
  must_be_absent(bound, 2, "out");
  std::vector<at::Tensor> arrays = arrays_of(evaluator, bound[0]);
  std::int64_t axis = 0;
  if (bound.has(1) && is_none(bound[1])) {
    for (at::Tensor& array : arrays) array = array.reshape({-1});
  } else if (bound.has(1)) {
    axis = to_integer(bound[1]);
  }
  const at::Tensor made = concatenated(arrays, axis);
  return make_array(made.to(to_array_type(bound.or_none(3)).value_or(made.scalar_type())));
}

Value stack(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("stack", arguments, {"arrays", "axis"}, 1);
  const std::vector<at::Tensor> arrays = arrays_of(evaluator, bound[0]);
  for (const at::Tensor& array : arrays) {
    if (array.sizes() == arrays.front().sizes()) continue;
    throw Mistake::of("ValueError", "all input arrays must have the same shape");
  }
  const std::int64_t axis = bound.has(1) ? to_integer(bound[1]) : 0;
  return make_array(at::stack(arrays, to_dimension(axis, arrays.front().dim() + 1)));
}

/// Implements hstack: along the second axis, or the only one.
Value hstack(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("hstack", arguments, {"tup"}, 1);
  std::vector<at::Tensor> arrays = arrays_of(evaluator, bound[0]);
  for (at::Tensor& array : arrays) {
    if (array.dim() == 0) array = array.reshape({1});
  }
  return make_array(concatenated(arrays, arrays.front().dim() == 1 ? 0 : 1));
}

Value vstack(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("vstack", arguments, {"tup"}, 1);
  std::vector<at::Tensor> arrays = arrays_of(evaluator, bound[0]);
  for (at::Tensor& array : arrays) {
    while (array.dim() < 2) array = array.unsqueeze(0);
  }
  return make_array(concatenated(arrays, 0));
}

/// Implements column_stack: one-dimensional arrays become columns.
Value column_stack(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("column_stack", arguments, {"tup"}, 1);
  std::vector<at::Tensor> arrays = arrays_of(evaluator, bound[0]);
  for (at::Tensor& array : arrays) {
    if (array.dim() < 2) array = array.reshape({-1, 1});
  }
  return make_array(concatenated(arrays, 1));
}

Value append(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("append", arguments, {"arr", "values", "axis"}, 2);
  std::vector<at::Tensor> arrays = arrays_of(evaluator, make_list({bound[0], bound[1]}));
  if (!is_none(bound.or_none(2))) return make_array(concatenated(arrays, to_integer(bound[2])));
  for (at::Tensor& array : arrays) array = array.reshape({-1});
  return make_array(concatenated(arrays, 0));
}

Value tile(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("tile", arguments, {"A", "reps"}, 2);
  at::Tensor numbers = array_of(evaluator, bound[0]);
  std::vector<std::int64_t> counts = to_sizes(evaluator, bound[1]);
  while (static_cast<std::int64_t>(counts.size()) < numbers.dim()) {
    counts.insert(counts.begin(), 1);
  }
  while (numbers.dim() < static_cast<std::int64_t>(counts.size())) numbers = numbers.unsqueeze(0);
  std::vector<std::int64_t> sizes;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    sizes.push_back(0);
    const std::int64_t size = numbers.size(static_cast<std::int64_t>(i));
    if (__builtin_mul_overflow(size, counts[i], &sizes.back())) throw Mistake("array is too big");
  }
  spend_array(evaluator, sizes);
  return make_array(numbers.repeat(counts));
}

Value repeat(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("repeat", arguments, {"a", "repeats", "axis"}, 2);
  at::Tensor numbers = array_of(evaluator, bound[0]);
  if (is_none(bound.or_none(2))) numbers = numbers.reshape({-1});
  const std::int64_t axis =
      is_none(bound.or_none(2)) ? 0 : to_dimension(to_integer(bound[2]), numbers.dim());
  const at::Tensor counts = array_of(evaluator, bound[1]).to(at::kLong).reshape({-1});
  if (counts.numel() != 1 && counts.numel() != numbers.size(axis)) {
    throw Mistake::of("ValueError",
                      fmt::format("operands could not be broadcast together with shape {} {}",
                                  shape_text({numbers.size(axis)}), shape_text(counts.sizes())));
  }
  if (counts.lt(0).any().item<bool>()) {
    throw Mistake::of("ValueError", "repeats may not contain negative values.");
  }
  const at::Tensor all = counts.expand({numbers.size(axis)});
  const auto total = all.sum().item<std::int64_t>();
  std::vector<std::int64_t> sizes = numbers.sizes().vec();
  sizes[static_cast<std::size_t>(axis)] = total;
  spend_array(evaluator, sizes);
  return make_array(numbers.repeat_interleave(all.contiguous(), axis));
}

/// Implements split and array_split, which allows parts of different sizes.
template <bool equal_parts>
Value split(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("split", arguments, {"ary", "indices_or_sections", "axis"}, 2);
  const at::Tensor numbers = array_of(evaluator, bound[0]);
  const std::int64_t axis = to_dimension(bound.has(2) ? to_integer(bound[2]) : 0, numbers.dim());
  const std::int64_t size = numbers.size(axis);
  std::vector<std::int64_t> ends;
  if (is_integer(bound[1])) {
    const std::int64_t parts = integer_of(bound[1]);
    if (parts <= 0) {
      throw Mistake::of("ValueError", "number sections must be larger than 0.");
    }
    if (equal_parts && size % parts != 0) {
      throw Mistake::of("ValueError", "array split does not result in an equal division");
    }
    evaluator.spend_items(parts);
    std::int64_t end = 0;
    for (std::int64_t i = 0; i < parts; ++i) {
      ends.push_back(end += size / parts + (i < size % parts ? 1 : 0));
    }
  } else {
    ends = to_sizes(evaluator, bound[1]);
    ends.push_back(size);
  }
  Values made;
  std::int64_t begin = 0;
  for (const std::int64_t end : ends) {
    const std::int64_t last = std::clamp(end < 0 ? end + size : end, std::int64_t{0}, size);
    made.push_back(make_array(numbers.slice(axis, begin, std::max(begin, last))));
    begin = last;
  }
  return make_list(std::move(made));
}

Value meshgrid(Evaluator& evaluator, const Arguments& arguments) {
  const Arguments options{.positional = {}, .named = arguments.named};
  const BoundArguments bound("meshgrid", options, {"*indexing", "*sparse", "*copy"}, 0);
  const std::string indexing = bound.has(0) ? to_text(bound[0], "indexing") : "xy";
  if (indexing != "xy" && indexing != "ij") {
    throw Mistake::of("ValueError", "Valid values for `indexing` are 'xy' and 'ij'.");
  }
  if (bound.flag(1, false)) throw Mistake("sparse=True is not available to models");
  std::vector<at::Tensor> arrays;
  std::vector<std::int64_t> sizes;
  for (const Value& value : arguments.positional) {
    arrays.push_back(array_of(evaluator, value).reshape({-1}));
    sizes.push_back(arrays.back().numel());
  }
  spend_array(evaluator, sizes);
  Values made;
  const bool swaps = indexing == "xy" && arrays.size() > 1;
  if (swaps) std::swap(sizes[0], sizes[1]);
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    std::size_t place = i;
    if (swaps && i < 2) place = 1 - i;
    std::vector<std::int64_t> shape(arrays.size(), 1);
    shape[place] = -1;
    made.push_back(make_array(arrays[i].reshape(shape).expand(sizes).contiguous()));
  }
  return make_tuple(std::move(made));
}

}  // namespace

void add_joining(const Library& library) {
  const std::pair<const char*, Method> functions[] = {{"concatenate", concatenate},
                                                      {"concat", concatenate},
                                                      {"stack", stack},
                                                      {"hstack", hstack},
                                                      {"vstack", vstack},
                                                      {"column_stack", column_stack},
                                                      {"append", append},
                                                      {"tile", tile},
                                                      {"split", split<true>},
                                                      {"array_split", split<false>},
                                                      {"meshgrid", meshgrid}};
  for (const auto& [name, function] : functions) library.function(name, function);
  library.function_and_method("repeat", repeat);
}

}  // namespace knead::engine::model::numpy
