#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <ATen/core/Tensor.h>

#include "runner/engine/model/python/evaluator/evaluator.h"
#include "runner/engine/model/values/bound_arguments.h"

namespace knead::engine::model::numpy {

// Conversions between values and the tensors that hold their numbers. All functions throw Mistake
// for wrong values, in the words of NumPy where it has some, and count what they make by
// Evaluator::spend_items before memory is allocated.

/// The numbers of an argument. `weak` marks a number of Python, which has no dtype of its own.
struct Operand {
  at::Tensor numbers;
  bool weak = false;
};

/// Returns an array of the numbers; shares the tensor.
Value make_array(at::Tensor numbers);
/// Returns the result of an operation: a number of NumPy if it has no dimensions, else an array.
Value result_of(const at::Tensor& numbers);
/// Returns the number of a tensor of one item with the dtype of the tensor.
ArrayScalar scalar_of(const at::Tensor& number);

/// Converts a number, an array, or nested sequences of them, as np.asarray() does: an array of the
/// dtype `dtype`, or of the smallest one that holds all items. Shares the numbers of an array of
/// this dtype.
at::Tensor array_of(Evaluator& evaluator, const Value& value,
                    std::optional<c10::ScalarType> dtype = std::nullopt);
/// Converts an operand of an operator; numbers of Python stay weak.
Operand operand_of(Evaluator& evaluator, const Value& value);
/// Returns the tensor of an Array or a number of NumPy, the self of a method.
at::Tensor self_of(const Value& value);

/// Returns the sizes of an argument that is a shape: a number or a sequence of numbers.
std::vector<std::int64_t> to_sizes(Evaluator& evaluator, const Value& value);
/// Returns a tuple of sizes.
Value shape_value(at::IntArrayRef sizes);
/// Returns the shape as it stands in messages of NumPy: "(2,3)".
std::string shape_text(at::IntArrayRef sizes);

/// Returns the dimension that an axis means, which may be negative. Throws Mistake "axis 2 is out
/// of bounds for array of dimension 2".
std::int64_t to_dimension(std::int64_t axis, std::int64_t dimensions);
/// Returns the dimensions that the argument `axis` means, sorted; None means all.
std::vector<std::int64_t> to_dimensions(Evaluator& evaluator, const Value& axis,
                                        std::int64_t dimensions);

/// Counts an array of these sizes, and throws Mistake if it is larger than the limit or the memory.
void spend_array(Evaluator& evaluator, at::IntArrayRef sizes);

/// Returns the shape that arrays of these shapes have after broadcasting; throws Mistake "operands
/// could not be broadcast together with shapes (2,) (3,)".
std::vector<std::int64_t> broadcast_shape(const std::vector<at::Tensor>& arrays);

/// Throws Mistake for an array that stands for a reversed view; see Array.
void must_be_writable(const Array& array);

/// Throws Mistake unless a whole number of Python fits a dtype: "Python integer 300 out of bounds
/// for uint8".
void must_fit(std::int64_t number, c10::ScalarType type);

/// Throws Mistake unless an argument such as `out` is absent or None.
void must_be_absent(const BoundArguments& bound, std::size_t place, std::string_view name);

}  // namespace knead::engine::model::numpy
