#include <ATen/ops/empty.h>
#include <fmt/format.h>

#include "runner/engine/model/operators/dispatch.h"
#include "runner/engine/model/operators/model_device.h"
#include "runner/engine/model/operators/tensors.h"
#include "runner/engine/model/python/builtins/builtins.h"
#include "runner/engine/model/values/bound_arguments.h"

namespace knead::engine::model {

namespace {

/// Returns the tensor that a method is called on.
const at::Tensor& tensor_of_self(const Arguments& arguments) {
  if (!arguments.positional.empty()) {
    if (const auto* tensor = std::get_if<at::Tensor>(&arguments.positional[0])) return *tensor;
  }
  throw Mistake("a method of Tensor is called without a tensor");
}

Value size(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("size", arguments, {"self", "dim"}, 1);
  if (!bound.has(1)) return *find_in_tensor(tensor_of_self(arguments), "shape");
  return tensor_of_self(arguments).size(to_integer(bound[1]));
}

Value dim(Evaluator&, const Arguments& arguments) { return tensor_of_self(arguments).dim(); }
Value numel(Evaluator&, const Arguments& arguments) { return tensor_of_self(arguments).numel(); }

Value item(Evaluator&, const Arguments& arguments) {
  const at::Tensor& tensor = tensor_of_self(arguments);
  if (tensor.numel() != 1) {
    throw Mistake(
        fmt::format("a Tensor with {} elements cannot be converted to Scalar", tensor.numel()));
  }
  return number_of(tensor);
}

Value tolist(Evaluator& evaluator, const Arguments& arguments) {
  // The limit is asked before the list takes memory.
  evaluator.spend_items(tensor_of_self(arguments).numel());
  return lists_of(tensor_of_self(arguments));
}

template <c10::ScalarType dtype>
Value tensor_to_type(Evaluator&, const Arguments& arguments) {
  return tensor_of_self(arguments).to(dtype);
}

/// Implements to(dtype), to(device), to(device, dtype) and to(other).
Value tensor_to(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("to", arguments, {"self", "device", "dtype", "*copy", "*non_blocking"},
                             1);
  at::Tensor tensor = tensor_of_self(arguments);
  for (const std::size_t place : {1U, 2U}) {
    const Value& value = bound.or_none(place);
    if (is_none(value)) continue;
    if (const auto* other = std::get_if<at::Tensor>(&value)) {
      tensor = tensor.to(other->options());
    } else if (const auto dtype = to_dtype(value)) {
      tensor = tensor.to(*dtype);
    } else if (const auto device = to_device(value)) {
      tensor = tensor.to(*device);
    } else {
      throw Mistake(
          fmt::format("to() takes a device, a dtype or a Tensor, not {}", type_name(value)));
    }
  }
  return bound.flag(3, false) && tensor.is_same(tensor_of_self(arguments)) ? tensor.clone()
                                                                           : tensor;
}

Value to_cpu(Evaluator&, const Arguments& arguments) { return tensor_of_self(arguments).cpu(); }

/// Implements norm(), whose operator has other defaults than PyTorch's function: the Frobenius norm
/// is the 2-norm of all elements, or of those along `dim`.
Value norm(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("norm", arguments, {"self", "p", "dim", "keepdim", "dtype"}, 1);
  const Value& power = bound.or_none(1);
  const auto* name = std::get_if<std::string>(&power);
  if (name && *name != "fro") {
    throw Mistake(fmt::format("norm() knows p='fro' and numbers, not '{}'", *name));
  }
  const bool is_frobenius = is_none(power) || name != nullptr;
  return call_operator("linalg_vector_norm",
                       {{bound[0], is_frobenius ? Value(std::int64_t{2}) : power, bound.or_none(2),
                         bound.flag(3, false)},
                        {{"dtype", bound.or_none(4)}}});
}

/// Implements nonzero(): the operator of that name, or with as_tuple a tuple of places for each
/// dimension.
Value nonzero(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("nonzero", arguments, {"self", "*as_tuple"}, 1);
  if (!bound.flag(1, false)) return call_operator("nonzero", {{bound[0]}, {}});
  return make_tuple(*sequence(call_operator("nonzero_numpy", {{bound[0]}, {}})));
}

/// Calls an operator whose second argument is the tensor that a method is called on.
Value call_with_tensor_second(const char* name, Arguments arguments) {
  auto& given = arguments.positional;
  if (given.size() > 1) std::swap(given[0], given[1]);
  return call_operator(name, arguments);
}

Value where_of_tensor(Evaluator&, const Arguments& arguments) {
  return call_with_tensor_second("where", arguments);
}
Value polygamma(Evaluator&, const Arguments& arguments) {
  return call_with_tensor_second("polygamma", arguments);
}

/// Implements type(): the name of the class of a tensor, such as "torch.FloatTensor"; or the tensor
/// converted to a class, its name or a dtype.
Value type_of_tensor(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("type", arguments, {"self", "dtype", "non_blocking"}, 1);
  const at::Tensor& self = tensor_of_self(arguments);
  const Value& wanted = bound.or_none(1);
  if (is_none(wanted)) return tensor_class_name(self.scalar_type());
  if (const auto dtype = to_dtype(wanted)) return self.to(*dtype);
  const auto* builtin = as<Builtin>(wanted);
  const std::string* text = builtin ? &(*builtin)->name : std::get_if<std::string>(&wanted);
  if (const auto* type = as<Class>(wanted); type && (*type)->name == "Tensor")
    return self.to(c10::kFloat);
  if (text) {
    if (const auto dtype = dtype_of_class(*text)) return self.to(*dtype);
  }
  throw Mistake(fmt::format("type() takes a dtype or a class of tensors, not {}",
                            text ? "'" + *text + "'" : type_name(wanted)));
}

/// Implements cuda().
Value to_compute_device(Evaluator&, const Arguments& arguments) {
  return tensor_of_self(arguments).to(compute_device());
}

Value tensor_requires_grad(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("requires_grad_", arguments, {"self", "requires_grad"}, 1);
  tensor_of_self(arguments).set_requires_grad(bound.flag(1, true));
  return bound[0];
}

Value new_tensor(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("new_tensor", arguments, {"self", "data", "*dtype"}, 2);
  const auto dtype = to_dtype(bound.or_none(2));
  const at::Tensor& self = tensor_of_self(arguments);
  return tensor_of(bound[1], dtype ? dtype : self.scalar_type()).to(self.device());
}

/// Implements new(sizes…) and new(items): an empty tensor, or one of these numbers.
Value new_of(Evaluator&, const Arguments& arguments) {
  const at::Tensor& self = tensor_of_self(arguments);
  const auto& given = arguments.positional;
  if (given.size() == 2 && as<List>(given[1]))
    return tensor_of(given[1], self.scalar_type()).to(self.device());
  const Values* listed = given.size() == 2 ? sequence(given[1]) : nullptr;
  std::vector<std::int64_t> sizes;
  for (std::size_t i = 0; i < (listed ? listed->size() : given.size() - 1); ++i) {
    sizes.push_back(to_integer(listed ? (*listed)[i] : given[i + 1]));
  }
  if (sizes.empty()) sizes.push_back(0);
  return at::empty(sizes, self.options());
}

/// Implements numpy(): the array shares the numbers of the tensor.
Value as_array(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("numpy", arguments, {"self", "*force"}, 1);
  const at::Tensor& tensor = tensor_of_self(arguments);
  if (tensor.requires_grad() && !bound.flag(1, false)) {
    throw Mistake::of("RuntimeError", "Can't call numpy() on Tensor that requires grad.",
                      "Use tensor.detach().numpy() instead.");
  }
  at::Tensor numbers = tensor.detach();
  if (bound.flag(1, false)) numbers = numbers.cpu();
  return evaluator.call(evaluator.attribute(evaluator.module("numpy"), "asarray"), {{numbers}, {}});
}

Value is_floating_point(Evaluator&, const Arguments& arguments) {
  return tensor_of_self(arguments).is_floating_point();
}

}  // namespace

/// These methods differ from the LibTorch operators of their name, or have none; other methods are
/// operators.
void add_tensor_methods(Class& type) {
  const std::pair<const char*, Method> methods[] = {
      {"size", size},
      {"dim", dim},
      {"ndimension", dim},
      {"numel", numel},
      {"nelement", numel},
      {"item", item},
      {"tolist", tolist},
      {"to", tensor_to},
      {"cpu", to_cpu},
      {"cuda", to_compute_device},
      {"numpy", as_array},
      {"requires_grad_", tensor_requires_grad},
      {"new_tensor", new_tensor},
      {"new", new_of},
      {"norm", norm},
      {"nonzero", nonzero},
      {"where", where_of_tensor},
      {"polygamma", polygamma},
      {"type", type_of_tensor},
      {"is_floating_point", is_floating_point},
      {"float", tensor_to_type<c10::ScalarType::Float>},
      {"double", tensor_to_type<c10::ScalarType::Double>},
      {"half", tensor_to_type<c10::ScalarType::Half>},
      {"bfloat16", tensor_to_type<c10::ScalarType::BFloat16>},
      {"int", tensor_to_type<c10::ScalarType::Int>},
      {"long", tensor_to_type<c10::ScalarType::Long>},
      {"bool", tensor_to_type<c10::ScalarType::Bool>}};
  for (const auto& [name, method] : methods) add_method(type, name, method);
}

}  // namespace knead::engine::model
