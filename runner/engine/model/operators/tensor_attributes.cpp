// Attributes of a Tensor that are no methods.

#include <fmt/format.h>

#include "runner/engine/model/operators/dispatch.h"
#include "runner/engine/model/operators/tensors.h"
#include "runner/engine/model/values/mistake.h"
#include "runner/engine/model/values/values.h"

namespace knead::engine::model {

std::optional<Value> find_in_tensor(const at::Tensor& tensor, const std::string& name) {
  if (name == "shape") {
    Values sizes;
    for (const std::int64_t size : tensor.sizes()) sizes.emplace_back(size);
    return make_tuple(std::move(sizes));
  }
  if (name == "dtype") return Dtype{tensor.scalar_type()};
  if (name == "device") return Device{tensor.device()};
  if (name == "ndim") return tensor.dim();
  if (name == "data") return tensor.variable_data();
  if (name == "requires_grad") return tensor.requires_grad();
  if (name == "is_leaf") return tensor.is_leaf();
  if (name == "is_cuda") return tensor.is_cuda();
  if (name == "grad") return tensor.grad().defined() ? Value{tensor.grad()} : Value{None{}};
  if (name == "T") return call_operator("numpy_T", {{tensor}, {}});
  if (name == "H") return call_operator("matrix_H", {{tensor}, {}});
  for (const char* property : {"mT", "mH", "real", "imag"}) {
    if (name == property) return call_operator(name, {{tensor}, {}});
  }
  if (name == "itemsize") return static_cast<std::int64_t>(tensor.element_size());
  if (name == "nbytes") return static_cast<std::int64_t>(tensor.nbytes());
  if (name == "is_sparse") return tensor.is_sparse();
  return std::nullopt;
}

void set_in_tensor(const at::Tensor& tensor, const std::string& name, const Value& value) {
  if (name == "requires_grad" && std::holds_alternative<bool>(value)) {
    tensor.set_requires_grad(std::get<bool>(value));
  } else if (name == "data" && is_tensor(value)) {
    tensor.set_data(std::get<at::Tensor>(value));
  } else if (name == "grad" && is_none(value)) {
    tensor.mutable_grad() = at::Tensor();
  } else if (find_in_tensor(tensor, name) || is_operator(name)) {
    throw Mistake(fmt::format("the attribute '{}' of a Tensor cannot be assigned", name),
                  "Keep it as an attribute of the module.");
  }
  // Any other name is one that PyTorch does not read, such as a misspelt `require_grad`.
}

}  // namespace knead::engine::model
