#include <limits>
#include <numbers>

#include <ATen/Context.h>
#include <ATen/Dispatch.h>
#include <ATen/ops/empty.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>

#include "runner/engine/model/operators/dispatch.h"
#include "runner/engine/model/operators/model_device.h"
#include "runner/engine/model/operators/tensors.h"
#include "runner/engine/model/python/builtins/builtins.h"
#include "runner/engine/model/python/evaluator/layers.h"
#include "runner/engine/model/python/evaluator/module.h"
#include "runner/engine/model/python/evaluator/operators.h"
#include "runner/engine/model/values/bound_arguments.h"

namespace knead::engine::model {

namespace {

/// Returns the object that `with` and a decorator accept to enable or disable gradients.
Value gradients(bool on) {
  static const auto type = [] {
    auto made = make_type("gradients");
    add_method(*made, "__call__", [](Evaluator& evaluator, const Arguments& arguments) -> Value {
      const BoundArguments bound("no_grad", arguments, {"self", "function"}, 2);
      const auto* function = as<Function>(bound[1]);
      if (function == nullptr) throw Mistake("this decorator takes a function of the file");
      const Value on_or_off = evaluator.attribute(bound[0], "mode");
      // The decorator must not change the function itself, which may have another name without it.
      auto decorated = std::make_shared<Function>(**function);
      decorated->no_grad = !std::get<bool>(on_or_off);
      return decorated;
    });
    return made;
  }();
  auto object = std::make_shared<Object>();
  object->type = type;
  object->attributes.emplace_back("mode", on);
  return object;
}

/// Implements torch.no_grad() and the decorator torch.no_grad without parentheses.
Value no_grad(Evaluator& evaluator, const Arguments& arguments) {
  const Value context = gradients(false);
  return arguments.positional.empty() ? context : evaluator.call(context, arguments);
}
Value enable_grad(Evaluator&, const Arguments&) { return gradients(true); }
Value set_grad_enabled(Evaluator&, const Arguments& arguments) {
  return gradients(BoundArguments("set_grad_enabled", arguments, {"mode"}, 1).flag(0, true));
}

Value tensor(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("tensor", arguments, {"data", "*dtype", "*device", "*requires_grad"},
                             1);
  at::Tensor made = tensor_of(bound[0], to_dtype(bound.or_none(1)));
  if (const auto device = to_device(bound.or_none(2))) made = made.to(*device);
  return made.set_requires_grad(bound.flag(3, false));
}

/// Returns a Tensor that shares the numbers of an array.
at::Tensor tensor_from(const Array& array) {
  if (!array.stands_for_reversed_view) return array.numbers.alias();
  throw Mistake::of("ValueError",
                    "At least one stride in the given numpy array is negative, and tensors with "
                    "negative strides are not currently supported.",
                    "make a copy first: a[::-1].copy()");
}

Value as_tensor(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("as_tensor", arguments, {"data", "dtype", "device"}, 1);
  const auto dtype = to_dtype(bound.or_none(1));
  if (const auto* made = std::get_if<at::Tensor>(&bound[0])) {
    return dtype ? made->to(*dtype) : *made;
  }
  if (const auto* array = as<Array>(bound[0])) {
    const at::Tensor shared = tensor_from(**array);
    return dtype ? shared.to(*dtype) : shared;
  }
  return tensor_of(bound[0], dtype);
}

Value from_numpy(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("from_numpy", arguments, {"ndarray"}, 1);
  const auto* array = as<Array>(bound[0]);
  if (array == nullptr) {
    throw Mistake::of("TypeError",
                      fmt::format("expected np.ndarray (got {})", type_name(bound[0])));
  }
  return tensor_from(**array);
}

Value make_parameter(Evaluator& evaluator, const Arguments& arguments, syntax::Range) {
  const BoundArguments bound("Parameter", arguments, {"data", "requires_grad"}, 0);
  const Value& data = bound.or_none(0);
  if (!is_none(data) && !is_tensor(data)) {
    throw Mistake(fmt::format("Parameter data must be a Tensor, not {}", type_name(data)));
  }
  const at::Tensor from = is_none(data) ? at::empty({0}) : std::get<at::Tensor>(data);
  return evaluator.make_parameter(from, bound.flag(1, true));
}

Value is_a_tensor(Evaluator&, const Arguments& arguments) {
  return is_tensor(BoundArguments("is_tensor", arguments, {"obj"}, 1)[0]);
}

Value default_dtype(Evaluator&, const Arguments&) { return Dtype{c10::ScalarType::Float}; }

/// Implements torch.finfo(dtype) and torch.iinfo(dtype), the limits of a dtype.
Value limits(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("finfo", arguments, {"dtype"}, 0);
  const auto dtype = bound.has(0) ? to_dtype(bound[0]) : c10::ScalarType::Float;
  if (!dtype) throw Mistake("finfo() takes a dtype");
  auto object = std::make_shared<Object>();
  object->type = make_type("finfo");
  const auto set = [&](const char* name, Value value) {
    object->attributes.emplace_back(name, std::move(value));
  };
  AT_DISPATCH_ALL_TYPES_AND2(c10::ScalarType::Half, c10::ScalarType::BFloat16, *dtype, "limits",
                             [&] {
                               using Numbers = std::numeric_limits<scalar_t>;
                               if constexpr (std::is_integral_v<scalar_t>) {
                                 set("min", static_cast<std::int64_t>(Numbers::lowest()));
                                 set("max", static_cast<std::int64_t>(Numbers::max()));
                               } else {
                                 set("min", static_cast<double>(Numbers::lowest()));
                                 set("max", static_cast<double>(Numbers::max()));
                                 set("eps", static_cast<double>(Numbers::epsilon()));
                                 set("tiny", static_cast<double>(Numbers::min()));
                               }
                               set("bits", static_cast<std::int64_t>(sizeof(scalar_t) * 8));
                             });
  return object;
}

void add_dtypes(Scope& names) {
  using c10::ScalarType;
  const std::pair<const char*, ScalarType> dtypes[] = {{"float32", ScalarType::Float},
                                                       {"float", ScalarType::Float},
                                                       {"float64", ScalarType::Double},
                                                       {"double", ScalarType::Double},
                                                       {"float16", ScalarType::Half},
                                                       {"half", ScalarType::Half},
                                                       {"bfloat16", ScalarType::BFloat16},
                                                       {"uint8", ScalarType::Byte},
                                                       {"int8", ScalarType::Char},
                                                       {"int16", ScalarType::Short},
                                                       {"short", ScalarType::Short},
                                                       {"int32", ScalarType::Int},
                                                       {"int", ScalarType::Int},
                                                       {"int64", ScalarType::Long},
                                                       {"long", ScalarType::Long},
                                                       {"bool", ScalarType::Bool},
                                                       {"complex64", ScalarType::ComplexFloat},
                                                       {"cfloat", ScalarType::ComplexFloat},
                                                       {"complex128", ScalarType::ComplexDouble}};
  for (const auto& [name, dtype] : dtypes) names.set(name, Dtype{dtype});
}

/// Returns a class that differs from another one by a property: torch.nn.utils computes the weight
/// of a module in one. Layer files alone know the name.
Value with_property(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("_with_property", arguments, {"kind", "name", "compute"}, 3);
  const auto& kind = std::get<std::shared_ptr<Class>>(bound[0]);
  auto made = std::make_shared<Class>(*kind);
  made->order.insert(made->order.begin(), made);
  const auto* given = as<Function>(bound[2]);
  if (!given) throw Mistake("the property of a class is a function of the file");
  auto compute = std::make_shared<Function>(**given);
  compute->kind = Function::Kind::property;
  compute->owner = made;
  made->members = {{to_text(bound[1], "name"), compute}};
  return made;
}

/// Returns the class before with_property().
Value without_property(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("_without_property", arguments, {"kind", "name"}, 2);
  const auto& kind = std::get<std::shared_ptr<Class>>(bound[0]);
  return kind->find(to_text(bound[1], "name")) ? kind->order.at(1) : kind;
}

/// A condition alone gives a tuple of places for each dimension.
Value where(Evaluator&, const Arguments& arguments) {
  Value chosen = call_operator("where", arguments);
  return as<List>(chosen) ? make_tuple(*sequence(chosen)) : chosen;
}

void add_functions_of_torch(Namespace& torch) {
  const std::pair<const char*, Method> functions[] = {{"no_grad", no_grad},
                                                      {"inference_mode", no_grad},
                                                      {"enable_grad", enable_grad},
                                                      {"set_grad_enabled", set_grad_enabled},
                                                      {"tensor", tensor},
                                                      {"as_tensor", as_tensor},
                                                      {"asarray", as_tensor},
                                                      {"from_numpy", from_numpy},
                                                      {"is_tensor", is_a_tensor},
                                                      {"get_default_dtype", default_dtype},
                                                      {"finfo", limits},
                                                      {"_with_property", with_property},
                                                      {"_without_property", without_property},
                                                      {"iinfo", limits},
                                                      {"where", where}};
  for (const auto& [name, function] : functions) add_function(torch, name, function);
}

}  // namespace

void add_torch(Evaluator& evaluator) {
  const auto torch = make_namespace("torch");
  torch->has_operators = true;
  add_dtypes(*torch->names);
  add_types_of_torch(evaluator, *torch->names);
  add_functions_of_torch(*torch);
  torch->names->set("__version__", std::string(kTorchVersion));
  for (const char* name : {"inf", "nan", "pi", "e"}) {
    torch->names->set(name, *evaluator.module("math")->names->find(name));
  }
  const auto module = module_type();
  evaluator.add_type(module);
  add_modules_of_torch(evaluator, *torch);
  evaluator.add_module("torch", torch);

  const auto nn = make_namespace("torch.nn");
  nn->names->set("Module", module);
  const auto parameter = make_type("Parameter", make_parameter);
  parameter->order.push_back(evaluator.type("Tensor"));
  evaluator.add_type(parameter);
  nn->names->set("Parameter", parameter);
  add_containers(evaluator, *nn->names, module);
  evaluator.add_module("torch.nn", nn);
  torch->names->set("nn", nn);
}

}  // namespace knead::engine::model
