#include <algorithm>

#include <fmt/format.h>

#include <ATen/ops/reshape.h>

#include "runner/engine/model/python/evaluator/records.h"
#include "runner/engine/model/python/numpy/dtypes.h"
#include "runner/engine/model/python/numpy/functions.h"

namespace knead::engine::model::numpy {

namespace {

/// Returns the sizes of a method that takes them as one sequence or one by one: a.reshape(2, 3).
std::vector<std::int64_t> sizes_from(Evaluator& evaluator, const Arguments& arguments) {
  if (arguments.positional.size() == 2) return to_sizes(evaluator, arguments.positional[1]);
  std::vector<std::int64_t> sizes;
  for (std::size_t i = 1; i < arguments.positional.size(); ++i) {
    sizes.push_back(to_integer(arguments.positional[i]));
  }
  return sizes;
}

at::Tensor reshaped(const at::Tensor& numbers, std::vector<std::int64_t> sizes) {
  std::int64_t known = 1;
  std::int64_t open = 0;
  for (const std::int64_t size : sizes) size < 0 ? ++open : known *= size;
  const std::int64_t items = numbers.numel();
  const bool fits = open == 0 ? known == items : known != 0 && items % known == 0;
  if (open > 1) throw Mistake::of("ValueError", "can only specify one unknown dimension");
  if (!fits) {
    throw Mistake::of("ValueError", fmt::format("cannot reshape array of size {} into shape {}",
                                                items, shape_text(sizes)));
  }
  return at::reshape(numbers, sizes);
}

/// A result that shares the numbers of an array; a reversed view stays one.
Value view_of(const Value& of, at::Tensor numbers) {
  Value made = make_array(std::move(numbers));
  if (const auto* array = as<Array>(of)) {
    (*as<Array>(made))->stands_for_reversed_view = (*array)->stands_for_reversed_view;
  }
  return made;
}

/// Throws Mistake for an order of memory other than that of C.
void must_be_in_order_of_c(const Value& order) {
  if (is_none(order)) return;
  const auto* name = std::get_if<std::string>(&order);
  if (name && (*name == "C" || *name == "K" || *name == "A")) return;
  throw Mistake("only the order 'C' of memory is available to models",
                "write a.T.reshape(…).T for order='F'");
}

Value reshape(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("reshape", arguments, {"a", "shape", "order", "*newshape"}, 1);
  must_be_in_order_of_c(bound.or_none(2));
  const at::Tensor numbers = array_of(evaluator, bound[0]);
  spend_array(evaluator, numbers.sizes());
  return view_of(bound[0], reshaped(numbers, to_sizes(evaluator, bound.or_none(1))));
}

Value reshape_method(Evaluator& evaluator, const Arguments& arguments) {
  const Arguments options{.positional = {}, .named = arguments.named};
  const BoundArguments named("reshape", options, {"*order", "*shape"}, 0);
  must_be_in_order_of_c(named.or_none(0));
  const at::Tensor numbers = self_of(arguments.positional.at(0));
  spend_array(evaluator, numbers.sizes());
  const auto sizes =
      named.has(1) ? to_sizes(evaluator, named[1]) : sizes_from(evaluator, arguments);
  return view_of(arguments.positional[0], reshaped(numbers, sizes));
}

Value set_shape(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("shape", arguments, {"self", "shape"}, 2);
  Array& array = **as<Array>(bound[0]);
  array.numbers = reshaped(array.numbers, to_sizes(evaluator, bound[1]));
  return None{};
}

at::Tensor transposed(const at::Tensor& numbers, std::vector<std::int64_t> axes) {
  if (axes.empty()) {
    for (std::int64_t i = numbers.dim(); i > 0; --i) axes.push_back(i - 1);
  }
  if (static_cast<std::int64_t>(axes.size()) != numbers.dim()) {
    throw Mistake::of("ValueError", "axes don't match array");
  }
  for (std::int64_t& axis : axes) axis = to_dimension(axis, numbers.dim());
  auto sorted = axes;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    throw Mistake::of("ValueError", "repeated axis in transpose");
  }
  return numbers.permute(axes);
}

Value transpose(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("transpose", arguments, {"a", "axes"}, 1);
  const Value& axes = bound.or_none(1);
  return view_of(bound[0], transposed(array_of(evaluator, bound[0]),
                                      is_none(axes) ? std::vector<std::int64_t>{}
                                                    : to_sizes(evaluator, axes)));
}

Value transpose_method(Evaluator& evaluator, const Arguments& arguments) {
  const bool is_all = arguments.positional.size() == 2 && is_none(arguments.positional[1]);
  return view_of(arguments.positional.at(0), transposed(self_of(arguments.positional[0]),
                                                        is_all ? std::vector<std::int64_t>{}
                                                               : sizes_from(evaluator, arguments)));
}

Value transposed_property(Evaluator&, const Arguments& arguments) {
  return view_of(arguments.positional.at(0), transposed(self_of(arguments.positional[0]), {}));
}

Value swapaxes(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("swapaxes", arguments, {"a", "axis1", "axis2"}, 3);
  const at::Tensor numbers = array_of(evaluator, bound[0]);
  const auto axis = [&](std::size_t i) {
    return to_dimension(to_integer(bound[i]), numbers.dim());
  };
  return view_of(bound[0], numbers.transpose(axis(1), axis(2)));
}

Value moveaxis(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("moveaxis", arguments, {"a", "source", "destination"}, 3);
  const at::Tensor numbers = array_of(evaluator, bound[0]);
  auto source = to_sizes(evaluator, bound[1]);
  auto target = to_sizes(evaluator, bound[2]);
  for (std::int64_t& axis : source) axis = to_dimension(axis, numbers.dim());
  for (std::int64_t& axis : target) axis = to_dimension(axis, numbers.dim());
  if (source.size() != target.size()) {
    throw Mistake::of("ValueError",
                      "`source` and `destination` arguments must have the same number "
                      "of elements");
  }
  return view_of(bound[0], numbers.movedim(source, target));
}

Value expand_dims(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("expand_dims", arguments, {"a", "axis"}, 2);
  at::Tensor numbers = array_of(evaluator, bound[0]);
  auto axes = to_sizes(evaluator, bound[1]);
  const auto dimensions = numbers.dim() + static_cast<std::int64_t>(axes.size());
  for (std::int64_t& axis : axes) axis = to_dimension(axis, dimensions);
  std::sort(axes.begin(), axes.end());
  for (const std::int64_t axis : axes) numbers = numbers.unsqueeze(axis);
  return view_of(bound[0], numbers);
}

Value squeeze(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("squeeze", arguments, {"a", "axis"}, 1);
  at::Tensor numbers = array_of(evaluator, bound[0]);
  if (is_none(bound.or_none(1))) return view_of(bound[0], numbers.squeeze());
  const auto axes = to_dimensions(evaluator, bound[1], numbers.dim());
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    if (numbers.size(*axis) != 1) {
      throw Mistake::of("ValueError",
                        "cannot select an axis to squeeze out which has size not "
                        "equal to one");
    }
    numbers = numbers.squeeze(*axis);
  }
  return view_of(bound[0], numbers);
}

Value ravel(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("ravel", arguments, {"a", "order"}, 1);
  must_be_in_order_of_c(bound.or_none(1));
  const at::Tensor numbers = array_of(evaluator, bound[0]);
  spend_array(evaluator, numbers.sizes());
  return view_of(bound[0], numbers.reshape({-1}));
}

Value flatten(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("flatten", arguments, {"self", "order"}, 1);
  must_be_in_order_of_c(bound.or_none(1));
  const at::Tensor numbers = self_of(bound[0]);
  spend_array(evaluator, numbers.sizes());
  return make_array(numbers.reshape({-1}).clone());
}

/// Reverses dimensions; the result stands for a view.
Value reversed_along(Evaluator& evaluator, const Value& of, const std::vector<std::int64_t>& axes) {
  const at::Tensor numbers = array_of(evaluator, of);
  spend_array(evaluator, numbers.sizes());
  Value made = make_array(numbers.flip(axes));
  (*as<Array>(made))->stands_for_reversed_view = true;
  return made;
}

Value flip(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("flip", arguments, {"m", "axis"}, 1);
  const std::int64_t dimensions = array_of(evaluator, bound[0]).dim();
  return reversed_along(evaluator, bound[0],
                        to_dimensions(evaluator, bound.or_none(1), dimensions));
}

template <std::int64_t axis>
Value flip_one(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("flip", arguments, {"m"}, 1);
  to_dimension(axis, array_of(evaluator, bound[0]).dim());
  return reversed_along(evaluator, bound[0], {axis});
}

Value rot90(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("rot90", arguments, {"m", "k", "axes"}, 1);
  const at::Tensor numbers = array_of(evaluator, bound[0]);
  spend_array(evaluator, numbers.sizes());
  const auto axes = bound.has(2) ? to_sizes(evaluator, bound[2]) : std::vector<std::int64_t>{0, 1};
  Value made = make_array(numbers.rot90(bound.has(1) ? to_integer(bound[1]) : 1, axes));
  (*as<Array>(made))->stands_for_reversed_view = true;
  return made;
}

Value roll(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("roll", arguments, {"a", "shift", "axis"}, 2);
  const at::Tensor numbers = array_of(evaluator, bound[0]);
  spend_array(evaluator, numbers.sizes());
  const auto shifts = to_sizes(evaluator, bound[1]);
  if (is_none(bound.or_none(2))) {
    return make_array(numbers.reshape({-1}).roll(shifts, {0}).reshape(numbers.sizes()));
  }
  auto axes = to_sizes(evaluator, bound[2]);
  for (std::int64_t& axis : axes) axis = to_dimension(axis, numbers.dim());
  return make_array(numbers.roll(shifts, axes));
}

Value broadcast_to(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("broadcast_to", arguments, {"array", "shape"}, 2);
  const at::Tensor numbers = array_of(evaluator, bound[0]);
  const auto sizes = to_sizes(evaluator, bound[1]);
  const auto offset = static_cast<std::int64_t>(sizes.size()) - numbers.dim();
  bool fits = offset >= 0;
  for (std::int64_t i = 0; fits && i < numbers.dim(); ++i) {
    fits = numbers.size(i) == 1 || numbers.size(i) == sizes[static_cast<std::size_t>(i + offset)];
  }
  if (!fits) {
    throw Mistake::of("ValueError",
                      fmt::format("operands could not be broadcast together with remapped shapes "
                                  "[original->remapped]: {}  and requested shape {}",
                                  shape_text(numbers.sizes()), shape_text(sizes)));
  }
  return make_array(numbers.expand(sizes));
}

/// Implements atleast_1d, atleast_2d.
template <std::int64_t dimensions>
Value at_least(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("atleast_1d", arguments, {"array"}, 1);
  at::Tensor numbers = array_of(evaluator, bound[0]);
  while (numbers.dim() < dimensions) numbers = numbers.unsqueeze(0);
  return make_array(numbers);
}

}  // namespace

void add_shapes(const Library& library) {
  const std::pair<const char*, Method> functions[] = {{"reshape", reshape},
                                                      {"transpose", transpose},
                                                      {"permute_dims", transpose},
                                                      {"moveaxis", moveaxis},
                                                      {"expand_dims", expand_dims},
                                                      {"flip", flip},
                                                      {"flipud", flip_one<0>},
                                                      {"fliplr", flip_one<1>},
                                                      {"rot90", rot90},
                                                      {"roll", roll},
                                                      {"broadcast_to", broadcast_to},
                                                      {"atleast_1d", at_least<1>},
                                                      {"atleast_2d", at_least<2>}};
  for (const auto& [name, function] : functions) library.function(name, function);
  library.function_and_method("squeeze", squeeze);
  library.function_and_method("ravel", ravel);
  library.function_and_method("swapaxes", swapaxes);
  library.method("flatten", flatten);
  library.method("reshape", reshape_method);
  library.method("transpose", transpose_method);
  add_property(library.array, "T", transposed_property);
  add_method(library.array, setter_of("shape"), set_shape);
}

}  // namespace knead::engine::model::numpy
