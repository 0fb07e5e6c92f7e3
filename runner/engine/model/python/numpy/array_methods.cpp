#include <cmath>

#include <fmt/format.h>

#include "runner/engine/model/operators/tensors.h"
#include "runner/engine/model/python/numpy/array_text.h"
#include "runner/engine/model/python/numpy/dtypes.h"
#include "runner/engine/model/python/numpy/elementwise.h"
#include "runner/engine/model/python/numpy/functions.h"
#include "runner/engine/model/python/numpy/indexing.h"

namespace knead::engine::model::numpy {

namespace {

const Value& self(const Arguments& arguments) { return arguments.positional.at(0); }
at::Tensor numbers_of_self(const Arguments& arguments) { return self_of(self(arguments)); }

// --- attributes

Value shape(Evaluator&, const Arguments& arguments) {
  return shape_value(numbers_of_self(arguments).sizes());
}
Value ndim(Evaluator&, const Arguments& arguments) { return numbers_of_self(arguments).dim(); }
Value size(Evaluator&, const Arguments& arguments) { return numbers_of_self(arguments).numel(); }
Value itemsize(Evaluator&, const Arguments& arguments) {
  return static_cast<std::int64_t>(numbers_of_self(arguments).element_size());
}
Value nbytes(Evaluator&, const Arguments& arguments) {
  const at::Tensor numbers = numbers_of_self(arguments);
  return numbers.numel() * static_cast<std::int64_t>(numbers.element_size());
}
Value dtype(Evaluator&, const Arguments& arguments) {
  return dtype_value(numbers_of_self(arguments).scalar_type());
}

// --- conversions

Value astype(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("astype", arguments,
                             {"self", "dtype", "order", "casting", "subok", "copy"}, 2);
  const at::Tensor numbers = self_of(bound[0]);
  spend_array(evaluator, numbers.sizes());
  const c10::ScalarType type = to_array_type(bound[1]).value_or(at::kDouble);
  if (std::holds_alternative<ArrayScalar>(bound[0])) return result_of(numbers.to(type));
  if (!bound.flag(5, true) && numbers.scalar_type() == type) return bound[0];
  return make_array(numbers.to(type, /*non_blocking=*/false, /*copy=*/true));
}

Value tolist(Evaluator& evaluator, const Arguments& arguments) {
  const at::Tensor numbers = numbers_of_self(arguments);
  evaluator.spend_items(numbers.numel());
  return lists_of(numbers);
}

Value item(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("item", arguments, {"self", "index"}, 1);
  const at::Tensor numbers = self_of(bound[0]);
  if (bound.has(1)) {
    const Array flat{.numbers = numbers.reshape({-1})};
    return plain(is_integer(bound[1])
                     ? item_of_array(evaluator, flat, bound[1])
                     : item_of_array(evaluator, Array{.numbers = numbers}, bound[1]));
  }
  if (numbers.numel() != 1) {
    throw Mistake::of("ValueError", "can only convert an array of size 1 to a Python scalar");
  }
  return number_of(numbers.reshape({}));
}

Value copy(Evaluator& evaluator, const Arguments& arguments) {
  const at::Tensor numbers = numbers_of_self(arguments);
  spend_array(evaluator, numbers.sizes());
  if (std::holds_alternative<ArrayScalar>(self(arguments))) return self(arguments);
  return make_array(numbers.clone(at::MemoryFormat::Contiguous));
}

Value view(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("view", arguments, {"self", "dtype"}, 1);
  const at::Tensor numbers = self_of(bound[0]);
  const auto type = to_array_type(bound.or_none(1));
  if (type && *type != numbers.scalar_type()) {
    throw Mistake("the bytes of an array cannot be read as another dtype in a model",
                  "write astype(…) for a conversion");
  }
  return make_array(numbers.alias());
}

Value fill(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("fill", arguments, {"self", "value"}, 2);
  set_item_of_array(evaluator, **as<Array>(bound[0]), Ellipsis{}, bound[1]);
  return None{};
}

// --- the methods that the language calls

Value array_item(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("__getitem__", arguments, {"self", "index"}, 2);
  return item_of_array(evaluator, **as<Array>(bound[0]), bound[1]);
}

Value set_array_item(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("__setitem__", arguments, {"self", "index", "value"}, 3);
  set_item_of_array(evaluator, **as<Array>(bound[0]), bound[1], bound[2]);
  return None{};
}

Value array_length(Evaluator&, const Arguments& arguments) {
  const at::Tensor numbers = numbers_of_self(arguments);
  if (numbers.dim() == 0) throw Mistake::of("TypeError", "len() of unsized object");
  return numbers.size(0);
}

Value array_iterator(Evaluator& evaluator, const Arguments& arguments) {
  const at::Tensor numbers = numbers_of_self(arguments);
  if (numbers.dim() == 0) throw Mistake::of("TypeError", "iteration over a 0-d array");
  evaluator.spend(numbers.size(0));
  return make_iterator("iterator",
                       [numbers, place = std::int64_t{0}]() mutable -> std::optional<Value> {
                         if (place >= numbers.size(0)) return std::nullopt;
                         return result_of(numbers.select(0, place++));
                       });
}

/// Returns the only item of an array; throws Mistake with the given words for several.
Value only_item(const Arguments& arguments, const char* words) {
  const at::Tensor numbers = numbers_of_self(arguments);
  if (numbers.numel() != 1) throw Mistake::of("ValueError", words);
  return number_of(numbers.reshape({}));
}

Value array_truth(Evaluator&, const Arguments& arguments) {
  const at::Tensor numbers = numbers_of_self(arguments);
  const char* words =
      numbers.numel() == 0
          ? "The truth value of an empty array is ambiguous. Use `array.size > 0` to check that an "
            "array is not empty."
          : "The truth value of an array with more than one element is ambiguous. Use a.any() or "
            "a.all()";
  return float_of(only_item(arguments, words)) != 0;
}

Value array_number(Evaluator&, const Arguments& arguments) {
  return only_item(arguments, "only 0-dimensional arrays can be converted to Python scalars");
}

Value array_contains(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("__contains__", arguments, {"self", "item"}, 2);
  const Value equal = binary_function(evaluator, "equal", bound[0], bound[1]);
  return self_of(equal).any().item<bool>();
}

template <const char* const& name>
Value by_function(Evaluator& evaluator, const Arguments& arguments) {
  return unary_function(evaluator, name, self(arguments));
}

constexpr const char* kNegative = "negative";
constexpr const char* kPositive = "positive";
constexpr const char* kInvert = "invert";
constexpr const char* kAbsolute = "absolute";

Value round_to(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("round", arguments, {"a", "decimals", "out"}, 1);
  must_be_absent(bound, 2, "out");
  const Operand operand = operand_of(evaluator, bound[0]);
  spend_array(evaluator, operand.numbers.sizes());
  return result_of(
      rounded_to(operand.numbers, is_none(bound.or_none(1)) ? 0 : to_integer(bound[1])));
}

/// Implements round(number): an int without a number of digits.
Value round_method(Evaluator& evaluator, const Arguments& arguments) {
  const Value made = round_to(evaluator, arguments);
  const bool is_whole_number = arguments.positional.size() == 1 && is_number(made);
  if (!is_whole_number || is_integer(made)) return made;
  return evaluator.call(evaluator.type("int"), {{plain(made)}, {}});
}

Value is_whole_number(Evaluator&, const Arguments& arguments) {
  const double number = float_of(self(arguments));
  return std::isfinite(number) && std::floor(number) == number;
}

Value array_repr(Evaluator& evaluator, const Arguments& arguments) {
  return repr_of(evaluator, self(arguments));
}
Value array_str(Evaluator& evaluator, const Arguments& arguments) {
  return str_of(evaluator, self(arguments));
}

// --- functions of the same attributes

Value shape_function(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("shape", arguments, {"a"}, 1);
  return shape_value(array_of(evaluator, bound[0]).sizes());
}
Value ndim_function(Evaluator& evaluator, const Arguments& arguments) {
  return array_of(evaluator, BoundArguments("ndim", arguments, {"a"}, 1)[0]).dim();
}
Value isscalar(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("isscalar", arguments, {"element"}, 1);
  return is_number(bound[0]) || is_text(bound[0]);
}
Value size_function(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("size", arguments, {"a", "axis"}, 1);
  const at::Tensor numbers = array_of(evaluator, bound[0]);
  if (is_none(bound.or_none(1))) return numbers.numel();
  return numbers.size(to_dimension(to_integer(bound[1]), numbers.dim()));
}

}  // namespace

void add_array_methods(const Library& library) {
  for (Class* type : {&library.array, &library.generic}) {
    const std::pair<const char*, Method> properties[] = {{"shape", shape},   {"ndim", ndim},
                                                         {"size", size},     {"itemsize", itemsize},
                                                         {"nbytes", nbytes}, {"dtype", dtype}};
    for (const auto& [name, method] : properties) add_property(*type, name, method);
    add_operators(*type, /*in_place=*/type == &library.array);
  }
  const std::pair<const char*, Method> shared[] = {{"astype", astype},
                                                   {"tolist", tolist},
                                                   {"item", item},
                                                   {"copy", copy},
                                                   {"__repr__", array_repr},
                                                   {"__str__", array_str},
                                                   {"__neg__", by_function<kNegative>},
                                                   {"__pos__", by_function<kPositive>},
                                                   {"__invert__", by_function<kInvert>},
                                                   {"__abs__", by_function<kAbsolute>},
                                                   {"__round__", round_method}};
  for (const auto& [name, method] : shared) library.method(name, method);
  const std::pair<const char*, Method> of_arrays[] = {{"view", view},
                                                      {"fill", fill},
                                                      {"__getitem__", array_item},
                                                      {"__setitem__", set_array_item},
                                                      {"__len__", array_length},
                                                      {"__iter__", array_iterator},
                                                      {"__bool__", array_truth},
                                                      {"__float__", array_number},
                                                      {"__int__", array_number},
                                                      {"__contains__", array_contains}};
  for (const auto& [name, method] : of_arrays) add_method(library.array, name, method);
  add_method(library.generic, "is_integer", is_whole_number);
  library.function("round", round_to);
  library.function("around", round_to);
  library.method("round", round_to);
  library.function("shape", shape_function);
  library.function("ndim", ndim_function);
  library.function("size", size_function);
  library.function("isscalar", isscalar);
}

}  // namespace knead::engine::model::numpy
