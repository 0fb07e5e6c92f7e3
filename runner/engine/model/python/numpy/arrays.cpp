#include "runner/engine/model/python/numpy/arrays.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include <ATen/ops/empty.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/stack.h>

#include "runner/engine/model/operators/tensors.h"
#include "runner/engine/model/python/numpy/dtypes.h"
#include "runner/engine/model/values/nesting.h"

namespace knead::engine::model::numpy {

Value make_array(at::Tensor numbers) {
  count_memory(numbers);
  return std::make_shared<Array>(Array{.numbers = std::move(numbers)});
}

ArrayScalar scalar_of(const at::Tensor& number) {
  const c10::ScalarType type = number.scalar_type();
  if (type == c10::ScalarType::Bool) return {type, number.item<bool>()};
  if (is_whole(type)) return {type, number.item<std::int64_t>()};
  return {type, number.item<double>()};
}

Value result_of(const at::Tensor& numbers) {
  if (numbers.dim() == 0) return scalar_of(numbers);
  return make_array(numbers);
}

void spend_array(Evaluator& evaluator, at::IntArrayRef sizes) {
  std::int64_t items = 1;
  for (const std::int64_t size : sizes) {
    if (size < 0) throw Mistake::of("ValueError", "negative dimensions are not allowed");
    if (__builtin_mul_overflow(items, size, &items)) throw Mistake("array is too big");
  }
  // The numbers of an array take less memory and time than the items of a list, so eight of them
  // are one step. An array takes as long as a few calls, however small it is.
  constexpr std::int64_t kStepsOfArray = 20;
  evaluator.spend(items / 8 + kStepsOfArray);
}

namespace {

at::Tensor number_tensor(const Value& number, c10::ScalarType type) {
  if (const auto* whole = std::get_if<std::int64_t>(&number); whole && is_whole(type)) {
    must_fit(*whole, type);
  }
  // A double or an int64 holds the number exactly; one conversion follows.
  if (is_integer(number)) return at::scalar_tensor(integer_of(number), at::kLong).to(type);
  return at::scalar_tensor(float_of(number), at::kDouble).to(type);
}

c10::ScalarType type_of_number(const Value& number) {
  if (const auto* scalar = std::get_if<ArrayScalar>(&number)) return scalar->type;
  if (std::holds_alternative<bool>(number)) return c10::ScalarType::Bool;
  return is_integer(number) ? c10::ScalarType::Long : c10::ScalarType::Double;
}

/// Makes an array of a list of numbers.
at::Tensor row_of(const Values& items, std::optional<c10::ScalarType> dtype) {
  c10::ScalarType found = items.empty() ? c10::ScalarType::Double : type_of_number(items.front());
  for (const Value& item : items) found = promoted(found, type_of_number(item));
  const c10::ScalarType type = dtype.value_or(found);
  const auto size = static_cast<std::int64_t>(items.size());
  if (!is_whole(found)) {
    at::Tensor made = at::empty({size}, at::kDouble);
    double* next = made.mutable_data_ptr<double>();
    for (const Value& item : items) *next++ = float_of(item);
    return made.to(type);
  }
  at::Tensor made = at::empty({size}, at::kLong);
  auto* next = made.mutable_data_ptr<std::int64_t>();
  for (const Value& item : items) {
    if (std::holds_alternative<std::int64_t>(item) && is_whole(type))
      must_fit(integer_of(item), type);
    *next++ = integer_of(item);
  }
  return made.to(type);
}

/// Returns the items of a value that NumPy reads as a sequence; std::nullopt for any other value.
std::optional<Values> items_of_sequence(Evaluator& evaluator, const Value& value) {
  if (const Values* items = sequence(value)) return *items;
  if (as<Range>(value)) return evaluator.items(value);
  return std::nullopt;
}

[[noreturn]] void no_array(const Value& value) {
  throw Mistake(
      fmt::format("an array of NumPy is made of numbers here, not of '{}'", type_name(value)),
      as<Iterator>(value) ? "write list(…) around it" : "");
}

at::Tensor stacked(Evaluator& evaluator, const Values& items,
                   std::optional<c10::ScalarType> dtype) {
  std::vector<at::Tensor> rows;
  for (const Value& item : items) rows.push_back(array_of(evaluator, item, dtype));
  c10::ScalarType type = rows.front().scalar_type();
  for (const at::Tensor& row : rows) {
    if (row.sizes() != rows.front().sizes()) {
      throw Mistake::of(
          "ValueError",
          fmt::format("setting an array element with a sequence. The requested array has an "
                      "inhomogeneous shape after 1 dimensions. The detected shape was ({},) + "
                      "inhomogeneous part.",
                      items.size()));
    }
    type = promoted(type, row.scalar_type());
  }
  for (at::Tensor& row : rows) row = row.to(dtype.value_or(type));
  return at::stack(rows);
}

}  // namespace

at::Tensor array_of(Evaluator& evaluator, const Value& value,
                    std::optional<c10::ScalarType> dtype) {
  if (const auto* array = as<Array>(value)) {
    const at::Tensor& numbers = (*array)->numbers;
    if (dtype && *dtype != numbers.scalar_type()) spend_array(evaluator, numbers.sizes());
    return numbers.to(dtype.value_or(numbers.scalar_type()));
  }
  if (const auto* tensor = std::get_if<at::Tensor>(&value)) {
    if (tensor->requires_grad()) {
      throw Mistake::of("RuntimeError", "Can't call numpy() on Tensor that requires grad.",
                        "Use tensor.detach().numpy() instead.");
    }
    if (!tensor->is_cpu()) {  // the numbers of an array are read where they are
      throw Mistake::of(
          "TypeError",
          fmt::format("can't convert {} device type tensor to numpy.", tensor->device().str()),
          "Use Tensor.cpu() to copy the tensor to host memory first.");
    }
    return tensor->detach().to(dtype.value_or(tensor->scalar_type()));
  }
  if (is_number(value)) return number_tensor(value, dtype.value_or(type_of_number(value)));
  if (!is_small(value)) throw Mistake("these lists nest too deep for an array");
  const std::optional<Values> items = items_of_sequence(evaluator, value);
  if (!items) no_array(value);
  evaluator.spend_items(static_cast<std::int64_t>(items->size()));
  if (std::all_of(items->begin(), items->end(), is_number)) return row_of(*items, dtype);
  return stacked(evaluator, *items, dtype);
}

Operand operand_of(Evaluator& evaluator, const Value& value) {
  if (is_tensor(value)) {
    throw Mistake("NumPy does not compute with Tensors here",
                  "write it with torch; or take .numpy() of the Tensor in __init__");
  }
  const bool weak = std::holds_alternative<std::int64_t>(value) ||
                    std::holds_alternative<double>(value) || std::holds_alternative<bool>(value);
  return {array_of(evaluator, value), weak};
}

at::Tensor self_of(const Value& value) {
  if (const auto* array = as<Array>(value)) return (*array)->numbers;
  return number_tensor(value, type_of_number(value));
}

std::vector<std::int64_t> to_sizes(Evaluator& evaluator, const Value& value) {
  if (is_integer(value)) return {integer_of(value)};
  std::vector<std::int64_t> sizes;
  if (!sequence(value) && !as<Array>(value) && !as<Range>(value)) {
    throw Mistake::of("TypeError", fmt::format("'{}' object cannot be interpreted as an integer",
                                               type_name(value)));
  }
  for (const Value& item : evaluator.items(value)) sizes.push_back(to_integer(item));
  return sizes;
}

Value shape_value(at::IntArrayRef sizes) {
  Values items;
  for (const std::int64_t size : sizes) items.emplace_back(size);
  return make_tuple(std::move(items));
}

std::string shape_text(at::IntArrayRef sizes) {
  return fmt::format("({}{})", fmt::join(sizes, ","), sizes.size() == 1 ? "," : "");
}

std::int64_t to_dimension(std::int64_t axis, std::int64_t dimensions) {
  if (axis >= -dimensions && axis < dimensions) return axis < 0 ? axis + dimensions : axis;
  throw Mistake::of("ValueError", fmt::format("axis {} is out of bounds for array of dimension {}",
                                              axis, dimensions));
}

std::vector<std::int64_t> to_dimensions(Evaluator& evaluator, const Value& axis,
                                        std::int64_t dimensions) {
  std::vector<std::int64_t> found;
  if (is_none(axis)) {
    for (std::int64_t i = 0; i < dimensions; ++i) found.push_back(i);
    return found;
  }
  for (const std::int64_t one : to_sizes(evaluator, axis)) {
    found.push_back(to_dimension(one, dimensions));
  }
  std::sort(found.begin(), found.end());
  if (std::adjacent_find(found.begin(), found.end()) != found.end()) {
    throw Mistake::of("ValueError", "duplicate value in 'axis'");
  }
  return found;
}

std::vector<std::int64_t> broadcast_shape(const std::vector<at::Tensor>& arrays) {
  std::size_t dimensions = 0;
  for (const at::Tensor& array : arrays) {
    dimensions = std::max(dimensions, static_cast<std::size_t>(array.dim()));
  }
  std::vector<std::int64_t> shape(dimensions, 1);
  for (const at::Tensor& array : arrays) {
    const std::size_t offset = dimensions - static_cast<std::size_t>(array.dim());
    for (std::size_t i = offset; i < dimensions; ++i) {
      const std::int64_t size = array.size(static_cast<std::int64_t>(i - offset));
      if (size == 1 || size == shape[i]) continue;
      if (shape[i] == 1) {
        shape[i] = size;
        continue;
      }
      std::string shapes;
      for (const at::Tensor& one : arrays) shapes += " " + shape_text(one.sizes());
      throw Mistake::of("ValueError",
                        "operands could not be broadcast together with shapes" + shapes + " ");
    }
  }
  return shape;
}

void must_fit(std::int64_t number, c10::ScalarType type) {
  std::int64_t low = std::numeric_limits<std::int64_t>::min();
  std::int64_t high = std::numeric_limits<std::int64_t>::max();
  if (type == c10::ScalarType::Byte) low = 0, high = 255;
  if (type == c10::ScalarType::Char) low = -128, high = 127;
  if (type == c10::ScalarType::Short) low = -32768, high = 32767;
  if (type == c10::ScalarType::Int) low = -2147483648LL, high = 2147483647LL;
  if (number >= low && number <= high) return;
  throw Mistake::of("OverflowError", fmt::format("Python integer {} out of bounds for {}", number,
                                                 array_type_name(type)));
}

void must_be_writable(const Array& array) {
  if (!array.stands_for_reversed_view) return;
  throw Mistake("a reversed view of an array cannot be changed in a model",
                "make a copy first: a[::-1].copy()");
}

void must_be_absent(const BoundArguments& bound, std::size_t place, std::string_view name) {
  if (is_none(bound.or_none(place))) return;
  throw Mistake(fmt::format("the argument '{}' of NumPy is not available to models", name));
}

}  // namespace knead::engine::model::numpy
