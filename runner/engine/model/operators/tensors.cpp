#include "runner/engine/model/operators/tensors.h"

#include <unistd.h>

#include <fstream>

#include <ATen/TensorIndexing.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/full.h>
#include <ATen/ops/scalar_tensor.h>
#include <ATen/ops/stack.h>
#include <fmt/format.h>

#include "runner/engine/model/operators/dispatch.h"
#include "runner/engine/model/values/mistake.h"
#include "runner/engine/model/values/nesting.h"
#include "runner/engine/model/values/values.h"
#include "runner/engine/model/values/work.h"
#include "runner/files/machine_memory.h"
#include "schema/document/byte_words.h"

namespace knead::engine::model {

c10::Scalar to_scalar(const Value& number) {
  if (const auto* flag = std::get_if<bool>(&number)) return *flag;
  if (const auto* value = std::get_if<double>(&number)) return *value;
  if (std::holds_alternative<ArrayScalar>(number)) return to_scalar(plain(number));
  return std::get<std::int64_t>(number);
}

namespace {

/// Returns the dtype that torch.tensor infers: that of the widest kind of number among the items,
/// float32 for floats and for no items.
c10::ScalarType inferred(const Value& data) {
  if (const auto* tensor = std::get_if<at::Tensor>(&data)) return tensor->scalar_type();
  if (const auto* scalar = std::get_if<ArrayScalar>(&data)) return scalar->type;
  if (const auto* array = as<Array>(data)) return (*array)->numbers.scalar_type();
  if (std::holds_alternative<bool>(data)) return c10::ScalarType::Bool;
  if (std::holds_alternative<std::int64_t>(data)) return c10::ScalarType::Long;
  if (std::holds_alternative<double>(data)) return c10::ScalarType::Float;
  const Values* items = sequence(data);
  if (items == nullptr) {
    throw Mistake(fmt::format("could not infer dtype of {}", type_name(data)));
  }
  if (items->empty()) return c10::ScalarType::Float;
  c10::ScalarType widest = inferred(items->front());
  for (const Value& item : *items) widest = c10::promoteTypes(widest, inferred(item));
  return widest;
}

/// Adds the sizes of nested lists; the first item of each level decides.
void add_shape(const Value& data, std::vector<std::int64_t>& shape) {
  if (const auto* array = as<Array>(data)) return add_shape((*array)->numbers, shape);
  if (const auto* tensor = std::get_if<at::Tensor>(&data)) {
    shape.insert(shape.end(), tensor->sizes().begin(), tensor->sizes().end());
    return;
  }
  const Values* items = sequence(data);
  if (items == nullptr) return;
  shape.push_back(static_cast<std::int64_t>(items->size()));
  if (!items->empty()) add_shape(items->front(), shape);
}

[[noreturn]] void refuse_length(std::int64_t wanted, std::size_t level, std::int64_t found) {
  throw Mistake(
      fmt::format("expected sequence of length {} at dim {} (got {})", wanted, level, found));
}

/// Writes the numbers of a tensor in order, which must have these sizes.
template <typename Number>
void fill_from(const at::Tensor& tensor, c10::IntArrayRef sizes, std::size_t level, Number*& next) {
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::int64_t found = i < tensor.sizes().size() ? tensor.sizes()[i] : 0;
    if (found != sizes[i]) refuse_length(sizes[i], level + i, found);
  }
  // Further dimensions may be of size 1, as item() takes a tensor of one number.
  if (tensor.numel() != c10::multiply_integers(sizes)) {
    throw Mistake(fmt::format("a Tensor with {} elements cannot be converted to Scalar",
                              tensor.numel() / c10::multiply_integers(sizes)));
  }
  at::from_blob(next, sizes, c10::CppTypeToScalarType<Number>::value)
      .copy_(tensor.detach().reshape(sizes));
  next += tensor.numel();
}

/// Writes the numbers of nested lists in order. The caller chooses double or int64, whichever keeps
/// all of them exact.
template <typename Number>
void fill(const Value& data, const std::vector<std::int64_t>& shape, std::size_t level,
          Number*& next) {
  if (const auto* array = as<Array>(data)) return fill((*array)->numbers, shape, level, next);
  if (level == shape.size()) {
    if (const auto* tensor = std::get_if<at::Tensor>(&data)) {
      *next++ = tensor->item().to<Number>();
    } else if (!is_number(data)) {
      throw Mistake(fmt::format("a tensor is made of numbers, not of '{}'", type_name(data)));
    } else if constexpr (std::is_same_v<Number, double>) {
      *next++ = float_of(data);
    } else {
      *next++ = is_integer(data) ? integer_of(data) : static_cast<Number>(float_of(data));
    }
    return;
  }
  if (const auto* tensor = std::get_if<at::Tensor>(&data)) {
    return fill_from(*tensor, c10::IntArrayRef(shape).slice(level), level, next);
  }
  const Values* items = sequence(data);
  if (items == nullptr || static_cast<std::int64_t>(items->size()) != shape[level]) {
    refuse_length(shape[level], level,
                  items == nullptr ? 0 : static_cast<std::int64_t>(items->size()));
  }
  for (const Value& item : *items) fill(item, shape, level + 1, next);
}

}  // namespace

at::Tensor tensor_of(const Value& data, std::optional<c10::ScalarType> dtype) {
  if (const auto* array = as<Array>(data)) return tensor_of((*array)->numbers, dtype);
  if (const auto* tensor = std::get_if<at::Tensor>(&data)) {
    return tensor->detach().to(dtype.value_or(tensor->scalar_type()), /*non_blocking=*/false,
                               /*copy=*/true);
  }
  if (!is_small(data)) throw Mistake("these lists nest too deep for a tensor");
  const c10::ScalarType found = inferred(data);
  std::vector<std::int64_t> shape;
  add_shape(data, shape);
  count_parts(kPartsOfStep * c10::multiply_integers(shape));
  const bool whole = c10::isIntegralType(found, /*includeBool=*/true);
  // A double or an int64 holds each number as it is written; one conversion to the wanted dtype
  // follows.
  at::Tensor made = at::empty(shape, whole ? at::kLong : at::kDouble);
  if (whole) {
    auto* next = made.mutable_data_ptr<std::int64_t>();
    fill(data, shape, 0, next);
  } else {
    auto* next = made.mutable_data_ptr<double>();
    fill(data, shape, 0, next);
  }
  return made.to(dtype.value_or(found));
}

Value number_of(const at::Tensor& tensor) {
  const c10::Scalar number = tensor.item();
  if (number.isBoolean()) return number.toBool();
  if (number.isIntegral(/*includeBool=*/false)) return number.toLong();
  if (number.isFloatingPoint()) return number.toDouble();
  throw Mistake("complex numbers are not part of the language of models");
}

namespace {

/// Returns nested lists of numbers that lie one after the other, from a dimension on.
template <typename Number>
Value lists_of(c10::IntArrayRef sizes, const Number*& next) {
  if (sizes.empty()) return *next++;
  Values items;
  for (std::int64_t i = 0; i < sizes.front(); ++i) {
    items.push_back(lists_of(sizes.slice(1), next));
  }
  return make_list(std::move(items));
}

template <typename Number>
Value lists_of(const at::Tensor& tensor) {
  const at::Tensor numbers = tensor.detach().cpu().to(c10::CppTypeToScalarType<Number>::value);
  const at::Tensor rows = numbers.contiguous();
  const Number* next = rows.const_data_ptr<Number>();
  return lists_of(rows.sizes(), next);
}

}  // namespace

Value lists_of(const at::Tensor& tensor) {
  if (tensor.dim() == 0 || tensor.is_complex()) return number_of(tensor);
  if (tensor.scalar_type() == at::kBool) return lists_of<bool>(tensor);
  return tensor.is_floating_point() ? lists_of<double>(tensor) : lists_of<std::int64_t>(tensor);
}

namespace {

/// States how many steps of the evaluator it takes as long as to read or write a part of a tensor.
constexpr std::int64_t kStepsOfItem = 20;

at::indexing::TensorIndex to_index(const Value& value) {
  if (is_none(value)) return at::indexing::None;
  if (std::holds_alternative<Ellipsis>(value)) return at::indexing::Ellipsis;
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  if (const auto* array = as<Array>(value)) return (*array)->numbers;
  if (is_integer(value)) return integer_of(value);
  if (const auto* tensor = std::get_if<at::Tensor>(&value)) return *tensor;
  if (const auto* slice = as<Slice>(value)) {
    const auto part = [](const Value& written) -> std::optional<c10::SymInt> {
      if (is_none(written)) return std::nullopt;
      return c10::SymInt(is_tensor(written) ? std::get<at::Tensor>(written).item<std::int64_t>()
                                            : to_integer(written));
    };
    return at::indexing::Slice(part((*slice)->begin), part((*slice)->end), part((*slice)->step));
  }
  if (sequence(value) != nullptr) return tensor_of(value, std::nullopt);
  throw Mistake(fmt::format("a Tensor cannot be indexed by '{}'", type_name(value)));
}

std::vector<at::indexing::TensorIndex> to_indices(const Value& index) {
  std::vector<at::indexing::TensorIndex> indices;
  if (const auto* several = as<Tuple>(index)) {
    for (const Value& one : (*several)->items) indices.push_back(to_index(one));
  } else {
    indices.push_back(to_index(index));
  }
  return indices;
}

}  // namespace

Value tensor_item(const at::Tensor& tensor, const Value& index) {
  count_parts(kStepsOfItem * kPartsOfStep);
  return tensor.index(to_indices(index));
}

void set_tensor_item(const at::Tensor& tensor, const Value& index, const Value& value) {
  count_parts(kStepsOfItem * kPartsOfStep);
  at::Tensor target = tensor;
  if (const auto* other = std::get_if<at::Tensor>(&value)) {
    target.index_put_(to_indices(index), *other);
  } else if (is_number(value)) {
    target.index_put_(to_indices(index), to_scalar(value));
  } else {
    target.index_put_(to_indices(index), tensor_of(value, tensor.scalar_type()));
  }
}

namespace {

/// Returns the memory in use by this process, in bytes.
std::size_t resident() {
  std::size_t all = 0;
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> all >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

void count_memory(const Value& made) {
  static const std::size_t machine = files::machine_memory();
  static std::size_t since = 0;  // bytes made since the last check
  const auto* tensor = std::get_if<at::Tensor>(&made);
  if (tensor == nullptr || !tensor->defined() || !tensor->has_storage()) return;
  const std::size_t bytes = tensor->storage().nbytes();
  since += bytes;
  // Reading /proc takes time, so it is read only after this many bytes.
  if (since < machine / 64) return;
  since = 0;
  if (bytes > machine || resident() > machine / 10 * 9) {
    throw Mistake(fmt::format("the model's tensors need more than this machine's memory of {}",
                              schema::byte_words(static_cast<double>(machine))));
  }
}

}  // namespace knead::engine::model
