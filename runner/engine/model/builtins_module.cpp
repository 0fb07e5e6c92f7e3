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

Value once(const std::string& type, Values items) {
  return make_iterator(
      type, [items = std::move(items), place = std::size_t{0}]() mutable -> std::optional<Value> {
        if (place == items.size()) return std::nullopt;
        return items[place++];
      });
}

Values with_names(const NamedValues& named) {
  Values pairs;
  for (const auto& [name, value] : named) pairs.push_back(make_tuple({name, value}));
  return pairs;
}

Values without_names(const NamedValues& named) {
  Values values;
  for (const auto& entry : named) values.push_back(entry.second);
  return values;
}

Value init(Evaluator&, const Arguments& arguments) {
  if (arguments.positional.size() > 1) {
    throw Mistake(fmt::format("Module.__init__() takes 1 positional argument but {} were given",
                              arguments.positional.size()));
  }
  if (!arguments.named.empty()) {
    throw Mistake(fmt::format("Module.__init__() got an unexpected keyword argument '{}'",
                              arguments.named[0].first));
  }
  const ObjectPtr self = self_of(arguments);
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

// --- what there is

Value parameters(Evaluator&, const Arguments& arguments) {
  const Given given("parameters", arguments, {"self", "recurse"}, 1);
  return once("generator",
              without_names(named_parameters(self_of(arguments), given.flag(1, true))));
}

Value named_parameters_of(Evaluator&, const Arguments& arguments) {
  const Given given("named_parameters", arguments,
                    {"self", "prefix", "recurse", "remove_duplicate"}, 1);
  NamedValues named =
      named_parameters(self_of(arguments), given.flag(2, true), given.flag(3, true));
  if (given.has(1) && !to_text(given[1], "prefix").empty()) {
    for (auto& entry : named) entry.first = to_text(given[1], "prefix") + "." + entry.first;
  }
  return once("generator", with_names(named));
}

Value buffers(Evaluator&, const Arguments& arguments) {
  const Given given("buffers", arguments, {"self", "recurse"}, 1);
  return once("generator", without_names(named_buffers(self_of(arguments), given.flag(1, true))));
}

Value named_buffers_of(Evaluator&, const Arguments& arguments) {
  const Given given("named_buffers", arguments, {"self", "*recurse"}, 1);
  return once("generator", with_names(named_buffers(self_of(arguments), given.flag(1, true))));
}

Value modules(Evaluator&, const Arguments& arguments) {
  Values all;
  visit_modules(self_of(arguments),
                [&](const std::string&, const ObjectPtr& module) { all.emplace_back(module); });
  return once("generator", std::move(all));
}

Value named_modules(Evaluator&, const Arguments& arguments) {
  Values all;
  visit_modules(self_of(arguments), [&](const std::string& name, const ObjectPtr& module) {
    all.push_back(make_tuple({name, module}));
  });
  return once("generator", std::move(all));
}

/// Each child once, under its first name.
NamedValues named_children_of(const Object& module) {
  NamedValues found;
  for (const auto& [name, child] : module.modules) {
    const bool seen = std::any_of(found.begin(), found.end(), [&, one = child](const auto& entry) {
      return std::get<ObjectPtr>(entry.second) == one;
    });
    if (child != nullptr && !seen) found.emplace_back(name, child);
  }
  return found;
}

Value children_of(Evaluator&, const Arguments& arguments) {
  return once("generator", without_names(named_children_of(*self_of(arguments))));
}

Value named_children(Evaluator&, const Arguments& arguments) {
  return once("generator", with_names(named_children_of(*self_of(arguments))));
}

Value get_submodule(Evaluator& evaluator, const Arguments& arguments) {
  const Given given("get_submodule", arguments, {"self", "target"}, 2);
  Value found = given[0];
  std::string path = to_text(given[1], "target");
  while (!path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    found = evaluator.attribute(found, path.substr(0, dot));
    module_of(found);
    path = dot < path.size() ? path.substr(dot + 1) : "";
  }
  return found;
}

NamedValues state_of(const ObjectPtr& module) {
  NamedValues state;
  std::function<void(const ObjectPtr&, const std::string&)> add = [&](const ObjectPtr& part,
                                                                      const std::string& prefix) {
    for (const Slot& slot : part->parameters) {
      if (slot.tensor) state.emplace_back(prefix + slot.name, slot.tensor->detach());
    }
    for (const Slot& slot : part->buffers) {
      if (slot.tensor && slot.persistent) {
        state.emplace_back(prefix + slot.name, slot.tensor->detach());
      }
    }
    for (const auto& [name, child] : part->modules) {
      if (child != nullptr) add(child, prefix + name + ".");
    }
  };
  add(module, "");
  return state;
}

Value state_dict(Evaluator& evaluator, const Arguments& arguments) {
  const Given given("state_dict", arguments, {"self"}, 1);
  auto dict = std::make_shared<Dict>();
  for (const auto& [name, value] : state_of(self_of(arguments))) {
    evaluator.set_key(*dict, name, value);
  }
  return dict;
}

Value load_state_dict(Evaluator& evaluator, const Arguments& arguments) {
  const Given given("load_state_dict", arguments, {"self", "state_dict"}, 2);
  const auto* dict = as<Dict>(given[1]);
  if (dict == nullptr) throw Mistake("Expected state_dict to be dict-like");
  const NamedValues own = state_of(self_of(arguments));
  if (own.size() != (*dict)->items.size()) {
    throw Mistake("Error(s) in loading state_dict: the names are not those of the module");
  }
  const c10::NoGradGuard no_grad;
  for (const auto& [name, value] : own) {
    const Value* found = evaluator.find_key(**dict, name);
    if (found == nullptr || !is_tensor(*found)) {
      throw Mistake(fmt::format("Error(s) in loading state_dict: Missing key \"{}\"", name));
    }
    call_operator("copy_", {{value, *found}, {}});
  }
  return None{};
}

// --- what can be changed

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

/// Children first, then the module itself.
void apply_to(Evaluator& evaluator, const ObjectPtr& module, const Value& function) {
  for (const auto& entry : named_children_of(*module)) {
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
                "Leave this out: the recipe's `device` decides where the model lives.");
}

Value no_hooks(Evaluator&, const Arguments&) {
  throw Mistake("hooks are not part of the language of models",
                "Call what the hook does in forward.");
}

}  // namespace

std::shared_ptr<Class> module_type() {
  const auto type = make_type("Module");
  type->is_module = true;
  const std::pair<const char*, Method> methods[] = {
      {"__init__", init},
      {"__call__", call},
      {"parameters", parameters},
      {"named_parameters", named_parameters_of},
      {"buffers", buffers},
      {"named_buffers", named_buffers_of},
      {"modules", modules},
      {"named_modules", named_modules},
      {"children", children_of},
      {"named_children", named_children},
      {"get_submodule", get_submodule},
      {"state_dict", state_dict},
      {"load_state_dict", load_state_dict},
      {"register_buffer", register_buffer_of},
      {"register_parameter", register_parameter_of},
      {"add_module", add_module_of},
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
  return type;
}

}  // namespace knead::engine::model
