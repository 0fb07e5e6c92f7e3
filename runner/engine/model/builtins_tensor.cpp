#include <fmt/format.h>

#include "runner/engine/model/builtins.h"
#include "runner/engine/model/dispatch.h"
#include "runner/engine/model/given.h"
#include "runner/engine/model/tensors.h"

namespace knead::engine::model {

namespace {

const at::Tensor& self_of(const Arguments& arguments) {
  if (!arguments.positional.empty()) {
    if (const auto* tensor = std::get_if<at::Tensor>(&arguments.positional[0])) return *tensor;
  }
  throw Mistake("a method of Tensor is called without a tensor");
}

Value size(Evaluator&, const Arguments& arguments) {
  const Given given("size", arguments, {"self", "dim"}, 1);
  if (!given.has(1)) return *find_in_tensor(self_of(arguments), "shape");
  return self_of(arguments).size(to_integer(given[1]));
}

Value dim(Evaluator&, const Arguments& arguments) { return self_of(arguments).dim(); }
Value numel(Evaluator&, const Arguments& arguments) { return self_of(arguments).numel(); }

Value item(Evaluator&, const Arguments& arguments) {
  const at::Tensor& tensor = self_of(arguments);
  if (tensor.numel() != 1) {
    throw Mistake(
        fmt::format("a Tensor with {} elements cannot be converted to Scalar", tensor.numel()));
  }
  return number_of(tensor);
}

Value tolist(Evaluator& evaluator, const Arguments& arguments) {
  evaluator.spend_items(self_of(arguments).numel());
  return lists_of(self_of(arguments));
}

template <c10::ScalarType dtype>
Value to_type(Evaluator&, const Arguments& arguments) {
  return self_of(arguments).to(dtype);
}

/// to(dtype), to(device), to(device, dtype), to(other).
Value to(Evaluator&, const Arguments& arguments) {
  const Given given("to", arguments, {"self", "device", "dtype", "*copy", "*non_blocking"}, 1);
  at::Tensor tensor = self_of(arguments);
  for (const std::size_t place : {1U, 2U}) {
    const Value& value = given.or_none(place);
    if (is_none(value)) continue;
    if (const auto* other = std::get_if<at::Tensor>(&value)) {
      tensor = tensor.to(other->scalar_type());
    } else if (const auto dtype = to_dtype(value)) {
      tensor = tensor.to(*dtype);
    } else if (!to_device(value)) {
      throw Mistake(
          fmt::format("to() takes a device, a dtype or a Tensor, not {}", type_name(value)));
    }
  }
  return given.flag(3, false) && tensor.is_same(self_of(arguments)) ? tensor.clone() : tensor;
}

Value stay(Evaluator&, const Arguments& arguments) { return self_of(arguments); }

Value requires_grad(Evaluator&, const Arguments& arguments) {
  const Given given("requires_grad_", arguments, {"self", "requires_grad"}, 1);
  self_of(arguments).set_requires_grad(given.flag(1, true));
  return given[0];
}

Value new_tensor(Evaluator&, const Arguments& arguments) {
  const Given given("new_tensor", arguments, {"self", "data", "*dtype"}, 2);
  const auto dtype = to_dtype(given.or_none(2));
  return tensor_of(given[1], dtype ? dtype : self_of(arguments).scalar_type());
}

Value is_floating_point(Evaluator&, const Arguments& arguments) {
  return self_of(arguments).is_floating_point();
}

}  // namespace

void add_tensor_methods(Class& type) {
  const std::pair<const char*, Method> methods[] = {
      {"size", size},
      {"dim", dim},
      {"ndimension", dim},
      {"numel", numel},
      {"nelement", numel},
      {"item", item},
      {"tolist", tolist},
      {"to", to},
      {"cpu", stay},
      {"requires_grad_", requires_grad},
      {"new_tensor", new_tensor},
      {"is_floating_point", is_floating_point},
      {"float", to_type<c10::ScalarType::Float>},
      {"double", to_type<c10::ScalarType::Double>},
      {"half", to_type<c10::ScalarType::Half>},
      {"bfloat16", to_type<c10::ScalarType::BFloat16>},
      {"int", to_type<c10::ScalarType::Int>},
      {"long", to_type<c10::ScalarType::Long>},
      {"bool", to_type<c10::ScalarType::Bool>}};
  for (const auto& [name, method] : methods) add_method(type, name, method);
}

}  // namespace knead::engine::model
