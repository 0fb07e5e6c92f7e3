#include <algorithm>

#include <c10/core/GradMode.h>
#include <fmt/format.h>

#include "runner/engine/model/operators/dispatch.h"
#include "runner/engine/model/python/builtins/builtins.h"
#include "runner/engine/model/python/evaluator/module.h"
#include "runner/engine/model/values/bound_arguments.h"
#include "runner/engine/model/values/stack.h"

namespace knead::engine::model {

namespace {

/// Returns an iterator over the items.
Value once(const std::string& type, Values items) {
  return make_iterator(
      type, [items = std::move(items), place = std::size_t{0}]() mutable -> std::optional<Value> {
        if (place == items.size()) return std::nullopt;
        return items[place++];
      });
}

/// Returns pairs of name and value.
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

Value parameters(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("parameters", arguments, {"self", "recurse"}, 1);
  return once("generator",
              without_names(named_parameters(module_of_self(arguments), bound.flag(1, true))));
}

Value named_parameters_of(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("named_parameters", arguments,
                             {"self", "prefix", "recurse", "remove_duplicate"}, 1);
  NamedValues named =
      named_parameters(module_of_self(arguments), bound.flag(2, true), bound.flag(3, true));
  if (bound.has(1) && !to_text(bound[1], "prefix").empty()) {
    for (auto& entry : named) entry.first = to_text(bound[1], "prefix") + "." + entry.first;
  }
  return once("generator", with_names(named));
}

Value buffers(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("buffers", arguments, {"self", "recurse"}, 1);
  return once("generator",
              without_names(named_buffers(module_of_self(arguments), bound.flag(1, true))));
}

Value named_buffers_of(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("named_buffers", arguments, {"self", "*recurse"}, 1);
  return once("generator",
              with_names(named_buffers(module_of_self(arguments), bound.flag(1, true))));
}

Value modules(Evaluator&, const Arguments& arguments) {
  Values all;
  visit_modules(
      module_of_self(arguments),
      [&](const std::string&, const std::shared_ptr<Object>& module) { all.emplace_back(module); });
  return once("generator", std::move(all));
}

Value named_modules(Evaluator& evaluator, const Arguments& arguments) {
  Values all;
  visit_modules(module_of_self(arguments),
                [&](const std::string& name, const std::shared_ptr<Object>& module) {
                  evaluator.spend(static_cast<std::int64_t>(name.size() / 8) + 4);
                  all.push_back(make_tuple({name, module}));
                });
  return once("generator", std::move(all));
}

Value children_of(Evaluator&, const Arguments& arguments) {
  return once("generator", without_names(model::named_children(*module_of_self(arguments))));
}

Value named_children(Evaluator&, const Arguments& arguments) {
  return once("generator", with_names(model::named_children(*module_of_self(arguments))));
}

Value get_submodule(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("get_submodule", arguments, {"self", "target"}, 2);
  Value found = bound[0];
  std::string path = to_text(bound[1], "target");
  while (!path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    found = evaluator.attribute(found, path.substr(0, dot));
    module_of(found);
    path = dot < path.size() ? path.substr(dot + 1) : "";
  }
  return found;
}

/// Returns the entries of state_dict(): all names of shared tensors, without non-persistent
/// buffers.
NamedValues state_of(Evaluator& evaluator, const std::shared_ptr<Object>& module) {
  NamedValues state;
  std::function<void(const std::shared_ptr<Object>&, const std::string&)> add =
      [&](const std::shared_ptr<Object>& part, const std::string& prefix) {
        expect_stack();  // modules may contain each other
        evaluator.spend(static_cast<std::int64_t>(prefix.size() * (1 + part->parameters.size())));
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
  const BoundArguments bound("state_dict", arguments, {"self"}, 1);
  auto dict = std::make_shared<Dict>();
  for (const auto& [name, value] : state_of(evaluator, module_of_self(arguments))) {
    evaluator.set_key(*dict, name, value);
  }
  return dict;
}

Value load_state_dict(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("load_state_dict", arguments, {"self", "state_dict"}, 2);
  const auto* dict = as<Dict>(bound[1]);
  if (dict == nullptr) throw Mistake("Expected state_dict to be dict-like");
  const NamedValues own = state_of(evaluator, module_of_self(arguments));
  // Only strict loading exists: every name must be in both.
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

}  // namespace

void add_module_lists(Class& type) {
  const std::pair<const char*, Method> methods[] = {{"parameters", parameters},
                                                    {"named_parameters", named_parameters_of},
                                                    {"buffers", buffers},
                                                    {"named_buffers", named_buffers_of},
                                                    {"modules", modules},
                                                    {"named_modules", named_modules},
                                                    {"children", children_of},
                                                    {"named_children", named_children},
                                                    {"get_submodule", get_submodule},
                                                    {"state_dict", state_dict},
                                                    {"load_state_dict", load_state_dict}};
  for (const auto& [name, method] : methods) add_method(type, name, method);
}

}  // namespace knead::engine::model
