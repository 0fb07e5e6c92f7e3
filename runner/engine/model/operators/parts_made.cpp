#include "runner/engine/model/operators/parts_made.h"

#include <algorithm>
#include <array>

#include <ATen/core/Tensor.h>

namespace knead::engine::model {
namespace {

using Inputs = c10::ArrayRef<c10::IValue>;

/// An operator that divides a tensor, and where its schema has the dimension.
struct Division {
  std::string_view name;
  std::size_t dimension;
};

constexpr std::array kDivisions{
    Division{"unbind", 1},           Division{"split", 2},
    Division{"split_with_sizes", 2}, Division{"chunk", 2},
    Division{"unsafe_split", 2},     Division{"unsafe_chunk", 2},
    Division{"tensor_split", 2},     Division{"unsafe_split_with_sizes", 2}};

/// Operators that make as many parts as they are told, empty ones too, of a dimension of their own.
constexpr std::array<std::string_view, 3> kOfOneDimension{"hsplit", "vsplit", "dsplit"};

std::int64_t size_of(const at::Tensor& tensor, std::int64_t dimension) {
  const std::int64_t at = dimension < 0 ? dimension + tensor.dim() : dimension;
  return at >= 0 && at < tensor.dim() ? tensor.size(at) : 0;
}

/// Returns the parts of a tensor whose dimension has `size` items.
std::int64_t parts_of(std::string_view name, std::int64_t size, const c10::IValue& by) {
  if (by.isIntList()) return static_cast<std::int64_t>(by.toIntVector().size()) + 1;
  if (by.isTensor() && by.toTensor().dim() > 0) return by.toTensor().numel() + 1;
  if (!by.isInt()) return size;
  const std::int64_t number = by.toInt();
  if (number <= 0) return 0;
  if (name == "tensor_split") return number;  // it makes empty parts too
  if (name.find("chunk") != name.npos) return std::min(number, size);
  return (size + number - 1) / number;
}

}  // namespace

std::int64_t parts_made(std::string_view name, Inputs inputs) {
  const bool is_known =
      std::find(kOfOneDimension.begin(), kOfOneDimension.end(), name) != kOfOneDimension.end();
  if (is_known && inputs.size() > 1) return parts_of("tensor_split", 0, inputs[1]);
  const auto found = std::find_if(kDivisions.begin(), kDivisions.end(),
                                  [&](const Division& one) { return one.name == name; });
  if (found == kDivisions.end() || inputs.empty() || !inputs[0].isTensor()) return 0;
  const at::Tensor& tensor = inputs[0].toTensor();
  if (!tensor.defined() || inputs.size() <= found->dimension) return 0;
  const c10::IValue& dimension = inputs[found->dimension];
  const std::int64_t size = size_of(tensor, dimension.isInt() ? dimension.toInt() : 0);
  return name == "unbind" ? size : parts_of(name, size, inputs[1]);
}

}  // namespace knead::engine::model
