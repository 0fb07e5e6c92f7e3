#include <algorithm>

#include <c10/core/GradMode.h>
#include <fmt/format.h>

#include "runner/engine/model/operators/dispatch.h"
#include "runner/engine/model/operators/model_device.h"
#include "runner/engine/model/operators/tensors.h"
#include "runner/engine/model/python/builtins/builtins.h"
#include "runner/engine/model/python/evaluator/module.h"
#include "runner/engine/model/values/bound_arguments.h"
#include "runner/engine/model/values/work.h"

namespace knead::engine::model {

namespace {

/// Returns the class name for messages: that of a layer without its own __init__, otherwise Module.
std::string name_of_init(const Class& type) {
  const Value* found = type.find("__init__");
  return found && as<Builtin>(*found) ? type.name : "Module";
}

Value init(Evaluator&, const Arguments& arguments) {
  const std::shared_ptr<Object> self = module_of_self(arguments);
  const BoundArguments bound(name_of_init(*self->type) + ".__init__", arguments, {"self"}, 1);
  if (is_model_running() && self->ready && !(self->parameters.empty() && self->modules.empty())) {
    throw Mistake("super().__init__() in forward would take away what the module is made of",
                  "leave it out: __init__ has called it");
  }
  // As in PyTorch, a second call of __init__ removes all parts.
  self->parameters.clear();
  self->buffers.clear();
  self->modules.clear();
  self->training = true;
  self->ready = true;
  return None{};
}

Value call(Evaluator& evaluator, const Arguments& arguments) {
  return evaluator.call_module(module_of_self(arguments), arguments);
}

Value register_buffer_of(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("register_buffer", arguments, {"self", "name", "tensor", "persistent"},
                             3);
  register_buffer(*module_of_self(arguments), to_text(bound[1], "the name of a buffer"), bound[2],
                  bound.flag(3, true));
  return None{};
}

Value register_parameter_of(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("register_parameter", arguments, {"self", "name", "param"}, 3);
  register_parameter(evaluator, *module_of_self(arguments),
                     to_text(bound[1], "the name of a parameter"), bound[2]);
  return None{};
}

Value add_module_of(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("add_module", arguments, {"self", "name", "module"}, 3);
  register_module(*module_of_self(arguments), to_text(bound[1], "the name of a module"), bound[2]);
  return None{};
}

Value set_attribute_of(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("__setattr__", arguments, {"self", "name", "value"}, 3);
  evaluator.set_attribute(bound[0], to_text(bound[1], "the name of an attribute"), bound[2]);
  return None{};
}

/// Calls a function for the children first and then for the module, as nn.Module.apply does.
void apply_to(Evaluator& evaluator, const std::shared_ptr<Object>& module, const Value& function) {
  for (const auto& entry : named_children(*module)) {
    // A child may override apply().
    const Value* own = std::get<std::shared_ptr<Object>>(entry.second)->type->find("apply");
    evaluator.call(*own, {{entry.second, function}, {}});
  }
  evaluator.call(function, {{module}, {}});
}

Value apply(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("apply", arguments, {"self", "fn"}, 2);
  apply_to(evaluator, module_of_self(arguments), bound[1]);
  return bound[0];
}

Value module_requires_grad(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("requires_grad_", arguments, {"self", "requires_grad"}, 1);
  for (const auto& entry : named_parameters(module_of_self(arguments))) {
    std::get<at::Tensor>(entry.second).set_requires_grad(bound.flag(1, true));
  }
  return bound[0];
}

/// Calls train() of a module, which may be its own, as one that keeps a frozen part in evaluation.
void set_training(Evaluator& evaluator, const std::shared_ptr<Object>& module, bool on) {
  evaluator.call(*module->type->find("train"), {{module, on}, {}});
}

Value train(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("train", arguments, {"self", "mode"}, 1);
  const std::shared_ptr<Object> module = module_of_self(arguments);
  module->training = bound.flag(1, true);
  for (const auto& entry : named_children(*module))
    set_training(evaluator, std::get<std::shared_ptr<Object>>(entry.second), module->training);
  return bound[0];
}

Value eval(Evaluator& evaluator, const Arguments& arguments) {
  set_training(evaluator, module_of_self(arguments), false);
  return arguments.positional[0];
}

/// Converts floating-point parameters and buffers to another dtype in place; references to the
/// tensors stay valid.
Value converted(const Arguments& arguments, c10::ScalarType dtype) {
  const c10::NoGradGuard no_grad;
  visit_modules(module_of_self(arguments),
                [&](const std::string&, const std::shared_ptr<Object>& part) {
                  for (auto* slots : {&part->parameters, &part->buffers}) {
                    for (Slot& slot : *slots) {
                      count_parts(50 * kPartsOfStep);
                      if (!slot.tensor || !slot.tensor->is_floating_point()) continue;
                      slot.tensor->set_data(slot.tensor->to(dtype));
                    }
                  }
                });
  return arguments.positional[0];
}

template <c10::ScalarType dtype>
Value module_to_type(Evaluator&, const Arguments& arguments) {
  return converted(arguments, dtype);
}

Value module_to(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("to", arguments, {"self", "device", "dtype"}, 1);
  for (const std::size_t place : {1U, 2U}) {
    const Value& value = bound.or_none(place);
    if (is_none(value)) continue;
    if (const auto dtype = to_dtype(value)) {
      converted(arguments, *dtype);
    } else if (!to_device(value)) {
      throw Mistake(fmt::format("to() takes a device or a dtype, not {}", type_name(value)));
    }
  }
  return bound[0];
}

/// Implements cpu() and cuda(): a model is built on the CPU and moved to the recipe's device.
Value same_module(Evaluator&, const Arguments& arguments) { return arguments.positional.at(0); }

/// Implements nn.Module.__getattr__, to which a __getattr__ of a subclass passes on what it does
/// not know: finds parameters, buffers and submodules.
Value part_named(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("__getattr__", arguments, {"self", "name"}, 2);
  const Object& module = module_of(bound[0]);
  const std::string& name = to_text(bound[1], "attribute name");
  if (std::optional<Value> found = find_in_module(module, name)) return *found;
  throw Mistake::of("AttributeError",
                    fmt::format("'{}' object has no attribute '{}'", module.type->name, name));
}

Value no_hooks(Evaluator&, const Arguments&) {
  throw Mistake("hooks are not part of the language of models",
                "call what the hook does in forward");
}

}  // namespace

std::shared_ptr<Class> module_type() {
  const auto type = make_type("Module");
  type->is_module = true;
  const std::pair<const char*, Method> methods[] = {
      {"__init__", init},
      {"__call__", call},
      {"register_buffer", register_buffer_of},
      {"register_parameter", register_parameter_of},
      {"add_module", add_module_of},
      {"__setattr__", set_attribute_of},
      {"register_module", add_module_of},
      {"apply", apply},
      {"requires_grad_", module_requires_grad},
      {"train", train},
      {"eval", eval},
      {"to", module_to},
      {"float", module_to_type<c10::ScalarType::Float>},
      {"double", module_to_type<c10::ScalarType::Double>},
      {"half", module_to_type<c10::ScalarType::Half>},
      {"bfloat16", module_to_type<c10::ScalarType::BFloat16>},
      {"cpu", same_module},
      {"cuda", same_module},
      {"__getattr__", part_named}};
  for (const auto& [name, method] : methods) add_method(*type, name, method);
  for (const char* hook :
       {"register_forward_hook", "register_forward_pre_hook", "register_backward_hook",
        "register_full_backward_hook", "register_full_backward_pre_hook",
        "register_load_state_dict_post_hook", "register_state_dict_pre_hook",
        "_register_load_state_dict_pre_hook", "_register_state_dict_hook"}) {
    add_method(*type, hook, no_hooks);
  }
  add_module_lists(*type);
  return type;
}

}  // namespace knead::engine::model
