#pragma once

#include "runner/engine/model/python/numpy/arrays.h"

namespace knead::engine::model::numpy {

/// Returns array[index] by the rules of NumPy: ints, slices, None and `...` give a view, arrays and
/// lists of ints or bools a copy. A slice with a negative step gives a copy as well, which stands
/// for the view; see Array. Throws Mistake "IndexError: index 5 is out of bounds for axis 0 with
/// size 3", and for other wrong indices.
Value item_of_array(Evaluator& evaluator, const Array& array, const Value& index);

/// Writes array[index] = value; the value is broadcast and converted to the dtype of the array.
void set_item_of_array(Evaluator& evaluator, const Array& array, const Value& index,
                       const Value& value);

/// Returns positions that may be negative as positions from 0 on, after the check that they are in
/// an axis of `size` items.
at::Tensor checked_positions(const at::Tensor& positions, std::int64_t axis, std::int64_t size);

}  // namespace knead::engine::model::numpy
