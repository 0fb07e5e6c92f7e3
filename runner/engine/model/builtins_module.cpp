#include <algorithm>

#include <c10/core/GradMode.h>
#include <fmt/format.h>

#include "runner/engine/model/builtins.h"
#include "runner/engine/model/dispatch.h"
#include "runner/engine/model/given.h"
#include "runner/engine/model/module.h"
#include "runner/engine/model/tensors.h"

namespace knead::engine::model {

namespace {

using ObjectPtr = std::shared_ptr<Object>;

ObjectPtr self_of(const Arguments& arguments) {
  if (arguments.positional.empty()) throw Mistake("a method of Module is called without a module");
  module_of(arguments.positional[0]);
  return std::get<ObjectPtr>(arguments.positional[0]);
}

/// Under which name a person called it: as that of a class that has no other.
std::string name_of_init(const Class& type) {
  const Value* found = type.find("__init__");
  return found && as<Builtin>(*found) ? type.name : "Module";
}

Value init(Evaluator&, const Arguments& arguments) {
  const ObjectPtr self = self_of(arguments);
  if (arguments.positional.size() > 1) {
    throw Mistake(fmt::format("{}.__init__() takes 1 positional argument but {} were given",
                              name_of_init(*self->type), arguments.positional.size()));
  }
  if (!arguments.named.empty()) {
    throw Mistake(fmt::format("{}.__init__() got an unexpected keyword argument '{}'",
                              name_of_init(*self->type), arguments.named[0].first));
  }
  self->parameters.clear();
  self->buffers.clear();
  self->modules.clear();
  self->training = true;
  self->ready = true;
  return None{};
}

Value call(Evaluator& evaluator, const Arguments& arguments) {
  const ObjectPtr self = self_of(arguments);
  const Value* forward = self->type->find("forward");
  if (forward == nullptr) {
    throw Mistake(
        fmt::format("Module [{}] is missing the required \"forward\" function", self->type->name));
  }
  return evaluator.call(*forward, arguments);
}

Value register_buffer_of(Evaluator&, const Arguments& arguments) {
  const Given given("register_buffer", arguments, {"self", "name", "tensor", "persistent"}, 3);
  register_buffer(*self_of(arguments), to_text(given[1], "the name of a buffer"), given[2],
                  given.flag(3, true));
  return None{};
}

Value register_parameter_of(Evaluator& evaluator, const Arguments& arguments) {
  const Given given("register_parameter", arguments, {"self", "name", "param"}, 3);
  register_parameter(evaluator, *self_of(arguments), to_text(given[1], "the name of a parameter"),
                     given[2]);
  return None{};
}

Value add_module_of(Evaluator&, const Arguments& arguments) {
  const Given given("add_module", arguments, {"self", "name", "module"}, 3);
  register_module(*self_of(arguments), to_text(given[1], "the name of a module"), given[2]);
  return None{};
}

Value set_attribute_of(Evaluator& evaluator, const Arguments& arguments) {
  const Given given("__setattr__", arguments, {"self", "name", "value"}, 3);
  evaluator.set_attribute(given[0], to_text(given[1], "the name of an attribute"), given[2]);
  return None{};
}

/// Children first, then the module itself.
void apply_to(Evaluator& evaluator, const ObjectPtr& module, const Value& function) {
  for (const auto& entry : named_children(*module)) {
    const Value* own = std::get<ObjectPtr>(entry.second)->type->find("apply");
    evaluator.call(*own, {{entry.second, function}, {}});
  }
  evaluator.call(function, {{module}, {}});
}

Value apply(Evaluator& evaluator, const Arguments& arguments) {
  const Given given("apply", arguments, {"self", "fn"}, 2);
  apply_to(evaluator, self_of(arguments), given[1]);
  return given[0];
}

Value requires_grad(Evaluator&, const Arguments& arguments) {
  const Given given("requires_grad_", arguments, {"self", "requires_grad"}, 1);
  for (const auto& entry : named_parameters(self_of(arguments))) {
    std::get<at::Tensor>(entry.second).set_requires_grad(given.flag(1, true));
  }
  return given[0];
}

void set_training(const ObjectPtr& module, bool on) {
  visit_modules(module, [&](const std::string&, const ObjectPtr& part) { part->training = on; });
}

Value train(Evaluator&, const Arguments& arguments) {
  const Given given("train", arguments, {"self", "mode"}, 1);
  set_training(self_of(arguments), given.flag(1, true));
  return given[0];
}

Value eval(Evaluator&, const Arguments& arguments) {
  set_training(self_of(arguments), false);
  return arguments.positional[0];
}

/// Floating-point parameters and buffers in another dtype, in place.
Value converted(const Arguments& arguments, c10::ScalarType dtype) {
  const c10::NoGradGuard no_grad;
  visit_modules(self_of(arguments), [&](const std::string&, const ObjectPtr& part) {
    for (auto* slots : {&part->parameters, &part->buffers}) {
      for (Slot& slot : *slots) {
        if (!slot.tensor || !slot.tensor->is_floating_point()) continue;
        slot.tensor->set_data(slot.tensor->to(dtype));
      }
    }
  });
  return arguments.positional[0];
}

template <c10::ScalarType dtype>
Value to_type(Evaluator&, const Arguments& arguments) {
  return converted(arguments, dtype);
}

Value to(Evaluator&, const Arguments& arguments) {
  const Given given("to", arguments, {"self", "device", "dtype"}, 1);
  for (const std::size_t place : {1U, 2U}) {
    const Value& value = given.or_none(place);
    if (is_none(value)) continue;
    if (const auto dtype = to_dtype(value)) {
      converted(arguments, *dtype);
    } else if (!to_device(value)) {
      throw Mistake(fmt::format("to() takes a device or a dtype, not {}", type_name(value)));
    }
  }
  return given[0];
}

Value stay(Evaluator&, const Arguments& arguments) { return arguments.positional.at(0); }

Value no_device(Evaluator&, const Arguments&) {
  throw Mistake("a model is built on the CPU",
                "leave this out: the recipe's `device` decides where the model lives");
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
      {"requires_grad_", requires_grad},
      {"train", train},
      {"eval", eval},
      {"to", to},
      {"float", to_type<c10::ScalarType::Float>},
      {"double", to_type<c10::ScalarType::Double>},
      {"half", to_type<c10::ScalarType::Half>},
      {"bfloat16", to_type<c10::ScalarType::BFloat16>},
      {"cpu", stay},
      {"cuda", no_device},
      {"register_forward_hook", no_hooks},
      {"register_forward_pre_hook", no_hooks},
      {"register_full_backward_hook", no_hooks}};
  for (const auto& [name, method] : methods) add_method(*type, name, method);
  add_module_lists(*type);
  return type;
}

}  // namespace knead::engine::model
