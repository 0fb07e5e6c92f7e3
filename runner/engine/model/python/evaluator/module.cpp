#include "runner/engine/model/python/evaluator/module.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "runner/engine/model/values/nesting.h"
#include "runner/engine/model/values/stack.h"
#include "runner/engine/model/values/work.h"

namespace knead::engine::model {
namespace {
template <typename Slots>
auto find_slot(Slots& slots, const std::string& name) {
  count_parts(std::ssize(slots) / 4);
  return std::ranges::find(slots, name, &Slot::name);
}

template <typename Pairs>
auto find_pair(Pairs& pairs, const std::string& name) {
  count_parts(std::ssize(pairs) / 4);
  return std::ranges::find(pairs, name, &Pairs::value_type::first);
}

enum class Place { attributes, parameters, buffers, modules };

/// Removes a name from all lists but one, because a name can be in only one of the four.
void remove_but(Object& module, const std::string& name, Place kept) {
  const auto is_pair = [&](const auto& pair) { return pair.first == name; };
  const auto is_slot = [&](const Slot& slot) { return slot.name == name; };
  if (kept != Place::attributes) std::erase_if(module.attributes, is_pair);
  if (kept != Place::parameters) std::erase_if(module.parameters, is_slot);
  if (kept != Place::buffers) std::erase_if(module.buffers, is_slot);
  if (kept != Place::modules) std::erase_if(module.modules, is_pair);
}

void set_slot(std::vector<Slot>& slots, Slot slot) {
  const auto there = find_slot(slots, slot.name);
  if (there == slots.end()) {
    expect_part(slots.size(), slot.name);
    slots.push_back(std::move(slot));
  } else {
    *there = std::move(slot);
  }
}

std::optional<at::Tensor> tensor_or_none(const Value& value) {
  if (is_none(value)) return std::nullopt;
  return std::get<at::Tensor>(value);
}

void must_be_ready(const Object& module, std::string_view what) {
  if (module.ready) return;
  throw Mistake(fmt::format("cannot assign {} before Module.__init__() call", what),
                "call super().__init__() first");
}

bool is_module(const Value& value) {
  const auto* object = as<Object>(value);
  return object != nullptr && (*object)->type->is_module;
}

Value value_of(const Slot& slot) { return slot.tensor ? Value{*slot.tensor} : Value{None{}}; }

void set_child(Object& module, const std::string& name, const Value& value) {
  const auto child = is_none(value) ? nullptr : std::get<std::shared_ptr<Object>>(value);
  const auto there = find_pair(module.modules, name);
  if (there == module.modules.end()) {
    expect_part(module.modules.size(), name);
    module.modules.emplace_back(name, child);
  } else {
    there->second = child;
  }
}

}  // namespace

std::optional<Value> find_in_module(const Object& module, const std::string& name) {
  if (name == "training") return module.training;
  if (const auto slot = find_slot(module.parameters, name); slot != module.parameters.end()) {
    return value_of(*slot);
  }
  if (const auto slot = find_slot(module.buffers, name); slot != module.buffers.end()) {
    return value_of(*slot);
  }
  const auto child = find_pair(module.modules, name);
  if (child == module.modules.end()) return std::nullopt;
  return child->second == nullptr ? Value{None{}} : Value{child->second};
}

void set_plain_attribute(Object& object, const std::string& name, Value value) {
  const auto there = find_pair(object.attributes, name);
  if (there == object.attributes.end()) {
    object.attributes.emplace_back(name, std::move(value));
  } else {
    there->second = std::move(value);
  }
}

/// The order of the checks is that of nn.Module.__setattr__.
void set_in_module(Evaluator& evaluator, Object& module, const std::string& name, Value value) {
  const auto* tensor = std::get_if<at::Tensor>(&value);
  if (tensor != nullptr && evaluator.is_parameter(*tensor)) {
    must_be_ready(module, "parameters");
    remove_but(module, name, Place::parameters);
    return register_parameter(evaluator, module, name, value);
  }
  if (find_slot(module.parameters, name) != module.parameters.end()) {
    if (!is_none(value)) {
      throw Mistake(fmt::format("cannot assign '{}' as parameter '{}' (torch.nn.Parameter or None "
                                "expected)",
                                type_name(value), name),
                    tensor == nullptr ? "" : "write nn.Parameter(…) around it");
    }
    return register_parameter(evaluator, module, name, value);
  }
  if (is_module(value)) {
    must_be_ready(module, "module");
    remove_but(module, name, Place::modules);
    return set_child(module, name, value);
  }
  if (find_pair(module.modules, name) != module.modules.end()) {
    if (!is_none(value)) {
      throw Mistake(
          fmt::format("cannot assign '{}' as child module '{}' (torch.nn.Module or None "
                      "expected)",
                      type_name(value), name));
    }
    return set_child(module, name, value);
  }
  if (const auto slot = find_slot(module.buffers, name); slot != module.buffers.end()) {
    if (tensor == nullptr && !is_none(value)) {
      throw Mistake(
          fmt::format("cannot assign '{}' object to buffer '{}' (torch.Tensor or None "
                      "required)",
                      type_name(value), name));
    }
    slot->tensor = tensor_or_none(value);
    return;
  }
  if (name == "training" && std::holds_alternative<bool>(value)) {
    module.training = std::get<bool>(value);
    return;
  }
  if (name == "forward") return replace_forward(module, value);
  set_plain_attribute(module, name, std::move(value));
}

bool remove_from_module(Object& object, const std::string& name) {
  const auto count = [&] {
    return object.attributes.size() + object.parameters.size() + object.buffers.size() +
           object.modules.size();
  };
  const std::size_t before = count();
  remove_but(object, name, Place::attributes);
  std::erase_if(object.attributes, [&](const auto& pair) { return pair.first == name; });
  return count() < before;
}

namespace {
/// Checks a name for register_parameter, register_buffer and register_module.
void check_name(const Object& module, const std::string& name, Place place) {
  if (name.find('.') != std::string::npos) {
    throw Mistake(fmt::format("the name of a part of a module can't contain \".\": '{}'", name));
  }
  if (name.empty()) throw Mistake("the name of a part of a module can't be empty string \"\"");
  const bool known = find_in_module(module, name).has_value() ||
                     find_pair(module.attributes, name) != module.attributes.end() ||
                     module.type->find(name) != nullptr;
  const bool in_place =
      (place == Place::parameters &&
       find_slot(module.parameters, name) != module.parameters.end()) ||
      (place == Place::buffers && find_slot(module.buffers, name) != module.buffers.end()) ||
      (place == Place::modules && find_pair(module.modules, name) != module.modules.end());
  if (known && !in_place) throw Mistake(fmt::format("attribute '{}' already exists", name));
}

}  // namespace

void register_parameter(Evaluator& evaluator, Object& module, const std::string& name,
                        const Value& value) {
  must_be_ready(module, "parameter");
  check_name(module, name, Place::parameters);
  const bool fits =
      is_none(value) || (is_tensor(value) && evaluator.is_parameter(std::get<at::Tensor>(value)));
  if (!fits) {
    throw Mistake(
        fmt::format("cannot assign '{}' object to parameter '{}' (torch.nn.Parameter or "
                    "None required)",
                    type_name(value), name));
  }
  // A parameter that is registered again keeps its position, and so the order of the state dict.
  set_slot(module.parameters, {.name = name, .tensor = tensor_or_none(value), .persistent = true});
}

void register_buffer(Object& module, const std::string& name, const Value& value, bool persistent) {
  must_be_ready(module, "buffer");
  check_name(module, name, Place::buffers);
  if (!is_none(value) && !is_tensor(value)) {
    throw Mistake(
        fmt::format("cannot assign '{}' object to buffer '{}' (torch.Tensor or None "
                    "required)",
                    type_name(value), name));
  }
  set_slot(module.buffers,
           {.name = name, .tensor = tensor_or_none(value), .persistent = persistent});
}

void register_module(Object& module, const std::string& name, const Value& value) {
  must_be_ready(module, "module");
  check_name(module, name, Place::modules);
  if (!is_none(value) && !is_module(value)) {
    const auto* type = as<Class>(value);
    if (type && (*type)->is_module) {
      throw Mistake(fmt::format("{} is a class, not a module", (*type)->name),
                    fmt::format("write its parentheses: {}(…)", (*type)->name));
    }
    throw Mistake(fmt::format("{} is not a Module subclass", type_name(value)));
  }
  set_child(module, name, value);
}

Object& module_of(const Value& value) {
  if (!is_module(value))
    throw Mistake(fmt::format("'{}' object is not a Module", type_name(value)));
  return *std::get<std::shared_ptr<Object>>(value);
}

std::shared_ptr<Object> module_of_self(const Arguments& arguments) {
  if (arguments.positional.empty()) throw Mistake("a method of Module is called without a module");
  module_of(arguments.positional[0]);
  return std::get<std::shared_ptr<Object>>(arguments.positional[0]);
}

namespace {

std::string joined(const std::string& prefix, const std::string& name) {
  return prefix.empty() ? name : prefix + "." + name;
}
/// Visits modules in pre-order. Without `seen`, a shared module is visited under each of its names.
void visit_each(const std::shared_ptr<Object>& module, const VisitModule& visit,
                const std::string& prefix, std::set<const Object*>* seen) {
  if (seen != nullptr && !seen->insert(module.get()).second) return;
  expect_stack(), count_parts(16);  // modules may contain each other
  if (prefix.size() > 10'000) throw Mistake("modules nest too deep here");
  visit(prefix, module);
  for (const auto& [name, child] : module->modules) {
    if (child != nullptr) visit_each(child, visit, joined(prefix, name), seen);
  }
}

NamedValues named_slots(const std::shared_ptr<Object>& module, std::vector<Slot> Object::*slots,
                        bool recurse, bool each_once, bool persistent_only) {
  NamedValues found;
  std::set<const void*> seen;
  int visited = 0;
  const VisitModule add = [&](const std::string& prefix, const std::shared_ptr<Object>& part) {
    if (++visited > 100'000) throw Mistake("modules nest too deep here");
    if (!recurse && part != module) return;
    for (const Slot& slot : (*part).*slots) {
      if (!slot.tensor || (persistent_only && !slot.persistent)) continue;
      if (each_once && !seen.insert(slot.tensor->unsafeGetTensorImpl()).second) continue;
      found.emplace_back(joined(prefix, slot.name), *slot.tensor);
    }
  };
  std::set<const Object*> modules;
  visit_each(module, add, "", each_once ? &modules : nullptr);
  return found;
}

}  // namespace

void visit_modules(const std::shared_ptr<Object>& module, const VisitModule& visit,
                   const std::string& prefix) {
  std::set<const Object*> seen;
  visit_each(module, visit, prefix, &seen);
}

NamedValues named_parameters(const std::shared_ptr<Object>& module, bool recurse, bool each_once) {
  return named_slots(module, &Object::parameters, recurse, each_once, false);
}

NamedValues named_buffers(const std::shared_ptr<Object>& module, bool recurse,
                          bool persistent_only) {
  return named_slots(module, &Object::buffers, recurse, true, persistent_only);
}

NamedValues named_children(const Object& module) {
  NamedValues found;
  for (const auto& [name, child] : module.modules) {
    const bool seen = std::any_of(found.begin(), found.end(), [&, one = child](const auto& entry) {
      return std::get<std::shared_ptr<Object>>(entry.second) == one;
    });
    if (child != nullptr && !seen) found.emplace_back(name, child);
  }
  return found;
}

}  // namespace knead::engine::model
