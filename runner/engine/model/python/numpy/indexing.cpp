#include "runner/engine/model/python/numpy/indexing.h"

#include <algorithm>

#include <fmt/format.h>

#include <ATen/ops/full.h>
#include <ATen/ops/index.h>
#include <ATen/ops/index_put.h>

#include "runner/engine/model/python/numpy/dtypes.h"

namespace knead::engine::model::numpy {

namespace {

/// An index that is applied in two steps: the slices give a view, and then arrays choose from it.
struct AppliedIndex {
  at::Tensor view;
  /// Arrays of positions by dimension of the view; undefined for a dimension that is taken whole.
  std::vector<at::Tensor> arrays;
  /// Dimensions of the view whose slice has a negative step: the view has their items in the order
  /// of memory.
  std::vector<std::int64_t> reversed;
  bool has_arrays = false;
  /// Every part is an int, so the result is a number and no array.
  bool is_number = false;
};

[[noreturn]] void wrong_index() {
  throw Mistake::of("IndexError",
                    "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and "
                    "integer or boolean arrays are valid indices");
}

/// Applies the parts of an index one by one.
class IndexReader {
 public:
  IndexReader(Evaluator& evaluator, const at::Tensor& numbers) : evaluator_(evaluator) {
    made_.view = numbers;
  }

  AppliedIndex read(const Value& index) {
    const Values parts = parts_of(index);
    std::int64_t used = 0;
    made_.is_number = true;
    for (const Value& part : parts) {
      used += dimensions_of(part);
      made_.is_number = made_.is_number && is_integer(part);
    }
    rest_ = made_.view.dim() - used;
    if (rest_ < 0) {
      throw Mistake::of("IndexError", fmt::format("too many indices for array: array is "
                                                  "{}-dimensional, but {} were indexed",
                                                  made_.view.dim(), used));
    }
    made_.is_number = made_.is_number && rest_ == 0;
    for (const Value& part : parts) apply(part);
    return std::move(made_);
  }

 private:
  /// Splits a tuple and converts lists to arrays, so that each part is a number, a slice, None,
  /// Ellipsis or an array.
  Values parts_of(const Value& index) {
    Values parts{index};
    if (const auto* tuple = as<Tuple>(index)) parts = (*tuple)->items;
    for (Value& part : parts) {
      if (const auto* scalar = std::get_if<ArrayScalar>(&part);
          scalar && scalar->type == at::kBool) {
        part = make_array(self_of(part));
      }
      if (sequence(part) || as<Range>(part)) {
        at::Tensor numbers = array_of(evaluator_, part);
        if (numbers.numel() == 0) numbers = numbers.to(at::kLong);
        part = make_array(numbers);
      }
      if (const auto* tensor = std::get_if<at::Tensor>(&part)) part = make_array(tensor->detach());
      if (std::holds_alternative<bool>(part)) part = make_array(self_of(part));
      const auto* array = as<Array>(part);
      if (!array) continue;
      if (!is_whole((*array)->numbers.scalar_type())) {
        throw Mistake::of("IndexError",
                          "arrays used as indices must be of integer (or boolean) type");
      }
      made_.has_arrays = true;
    }
    return parts;
  }

  static std::int64_t dimensions_of(const Value& part) {
    if (is_none(part) || std::holds_alternative<Ellipsis>(part)) return 0;
    const auto* array = as<Array>(part);
    if (!array || (*array)->numbers.scalar_type() != at::kBool) return 1;
    return (*array)->numbers.dim();
  }

  void apply(const Value& part) {
    if (is_none(part)) {
      made_.view = made_.view.unsqueeze(place_);
      made_.arrays.emplace_back();
      ++place_;
    } else if (std::holds_alternative<Ellipsis>(part)) {
      skip(rest_);
    } else if (const auto* slice = as<Slice>(part)) {
      apply(**slice);
    } else if (const auto* array = as<Array>(part)) {
      apply((*array)->numbers);
    } else if (is_integer(part)) {
      apply(integer_of(part));
    } else {
      wrong_index();
    }
  }

  void skip(std::int64_t dimensions) {
    for (std::int64_t i = 0; i < dimensions; ++i) made_.arrays.emplace_back();
    place_ += dimensions;
    axis_ += dimensions;
  }

  void apply(std::int64_t index) {
    const std::int64_t size = made_.view.size(place_);
    if (index < -size || index >= size) {
      throw Mistake::of(
          "IndexError",
          fmt::format("index {} is out of bounds for axis {} with size {}", index, axis_, size));
    }
    ++axis_;
    // Beside arrays, NumPy treats an int as an array of one position.
    if (made_.has_arrays) {
      made_.arrays.push_back(at::full({1}, index < 0 ? index + size : index, at::kLong));
      ++place_;
    } else {
      made_.view = made_.view.select(place_, index);
    }
  }

  void apply(const Slice& slice) {
    const auto size = made_.view.size(place_);
    const Range range = taken(slice, static_cast<std::size_t>(size));
    const std::int64_t count = length(range);
    if (range.step > 0) {
      made_.view =
          made_.view.slice(place_, range.begin, std::max(range.begin, range.end), range.step);
    } else {
      const std::int64_t last = range.begin + (count - 1) * range.step;
      const std::int64_t begin = count == 0 ? 0 : last;
      const std::int64_t end = count == 0 ? 0 : range.begin + 1;
      made_.view = made_.view.slice(place_, begin, end, -range.step);
      made_.reversed.push_back(place_);
    }
    skip(1);
  }

  void apply(const at::Tensor& array) {
    if (array.scalar_type() != at::kBool) {
      made_.arrays.push_back(checked_positions(array, axis_, made_.view.size(place_)));
      ++place_;
      ++axis_;
      return;
    }
    for (std::int64_t i = 0; i < array.dim(); ++i) {
      const std::int64_t size = made_.view.size(place_ + i);
      if (array.size(i) == size) continue;
      throw Mistake::of("IndexError",
                        fmt::format("boolean index did not match indexed array along axis {}; size "
                                    "of axis is {} but size of corresponding boolean axis is {}",
                                    axis_ + i, size, array.size(i)));
    }
    if (array.dim() == 0) {
      throw Mistake("an index that is one bool is not available to models", "write an 'if'");
    }
    for (const at::Tensor& positions : array.nonzero().unbind(1)) {
      made_.arrays.push_back(positions);
      ++place_;
      ++axis_;
    }
  }

  Evaluator& evaluator_;
  AppliedIndex made_;
  std::int64_t place_ = 0;  // dimension of the view
  std::int64_t axis_ = 0;   // dimension of the array, for messages
  std::int64_t rest_ = 0;   // dimensions that `...` or the end of the index takes whole
};

c10::List<std::optional<at::Tensor>> to_indices(const std::vector<at::Tensor>& arrays) {
  c10::List<std::optional<at::Tensor>> indices;
  for (const at::Tensor& array : arrays) {
    indices.push_back(array.defined() ? std::optional(array) : std::nullopt);
  }
  return indices;
}

void must_broadcast(const AppliedIndex& index) {
  std::vector<at::Tensor> arrays;
  for (const at::Tensor& array : index.arrays) {
    if (array.defined()) arrays.push_back(array);
  }
  try {
    broadcast_shape(arrays);
  } catch (const Mistake&) {
    std::string shapes;
    for (const at::Tensor& array : arrays) shapes += " " + shape_text(array.sizes());
    throw Mistake::of(
        "IndexError",
        "shape mismatch: indexing arrays could not be broadcast together with shapes" + shapes +
            " ");
  }
}

}  // namespace

at::Tensor checked_positions(const at::Tensor& positions, std::int64_t axis, std::int64_t size) {
  at::Tensor whole = positions.to(at::kLong);
  if (whole.numel() == 0) return whole;
  const auto least = whole.min().item<std::int64_t>();
  const auto most = whole.max().item<std::int64_t>();
  if (least < -size || most >= size) {
    throw Mistake::of("IndexError",
                      fmt::format("index {} is out of bounds for axis {} with size {}",
                                  most >= size ? most : least, axis, size));
  }
  return least < 0 ? whole.remainder(size) : whole;
}

Value item_of_array(Evaluator& evaluator, const Array& array, const Value& index) {
  AppliedIndex applied = IndexReader(evaluator, array.numbers).read(index);
  const bool is_reversed = !applied.reversed.empty();
  if (is_reversed) {
    spend_array(evaluator, applied.view.sizes());
    applied.view = applied.view.flip(applied.reversed);
  }
  if (!applied.has_arrays) {
    if (applied.is_number) return scalar_of(applied.view);
    Value made = make_array(applied.view);
    (*as<Array>(made))->stands_for_reversed_view = is_reversed || array.stands_for_reversed_view;
    return made;
  }
  must_broadcast(applied);
  const at::Tensor chosen = at::index(applied.view, to_indices(applied.arrays));
  spend_array(evaluator, chosen.sizes());
  return make_array(chosen);
}

void set_item_of_array(Evaluator& evaluator, const Array& array, const Value& index,
                       const Value& value) {
  must_be_writable(array);
  const AppliedIndex applied = IndexReader(evaluator, array.numbers).read(index);
  at::Tensor from = array_of(evaluator, value);
  if (std::holds_alternative<std::int64_t>(value) && is_whole(array.numbers.scalar_type())) {
    must_fit(std::get<std::int64_t>(value), array.numbers.scalar_type());
  }
  from = from.to(array.numbers.scalar_type());
  // The parts of one array may overlap, as in a[1:] = a[:-1].
  if (from.storage().is_alias_of(array.numbers.storage())) from = from.clone();
  if (applied.has_arrays) must_broadcast(applied);
  const at::Tensor target =
      applied.has_arrays ? at::index(applied.view, to_indices(applied.arrays)) : applied.view;
  while (from.dim() > target.dim() && from.size(0) == 1) from = from.squeeze(0);
  bool fits = from.dim() <= target.dim();
  for (std::int64_t i = 1; fits && i <= from.dim(); ++i) {
    fits = from.size(-i) == 1 || from.size(-i) == target.size(-i);
  }
  if (!fits) {
    throw Mistake::of("ValueError",
                      fmt::format("could not broadcast input array from shape {} into shape {}",
                                  shape_text(from.sizes()), shape_text(target.sizes())));
  }
  from = from.expand(target.sizes());
  if (!applied.has_arrays) {
    at::Tensor view = applied.view;
    view.copy_(applied.reversed.empty() ? from : from.flip(applied.reversed));
    return;
  }
  if (!applied.reversed.empty()) {
    throw Mistake(
        "an index of arrays and of slices with a negative step cannot be assigned in a "
        "model");
  }
  at::Tensor view = applied.view;
  at::index_put_(view, to_indices(applied.arrays), from);
}

}  // namespace knead::engine::model::numpy
