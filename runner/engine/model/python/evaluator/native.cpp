#include "runner/engine/model/python/evaluator/native.h"

#include <fmt/format.h>

#include "runner/engine/model/operators/permission.h"
#include "runner/engine/model/values/mistake.h"
#include "runner/engine/model/values/values.h"

namespace knead::engine::model {

std::shared_ptr<Class> make_type(const std::string& name, BuiltinCall construct) {
  auto type = std::make_shared<Class>();
  type->name = name;
  type->construct = std::move(construct);
  type->order = {type};
  return type;
}

namespace {

/// Throws Mistake in Python's words unless the first argument is an object of the class.
void check_self(Evaluator& evaluator, const Arguments& arguments,
                const std::shared_ptr<Class>& type, const std::string& method) {
  if (arguments.positional.empty())
    throw Mistake(fmt::format("unbound method {}.{}() needs an argument", type->name, method));
  // list.append(x, 1) names the method without an object, so any value may be the first argument.
  const Value& self = arguments.positional.front();
  if (evaluator.is_instance(self, type)) return;
  throw Mistake(fmt::format("descriptor '{}' for '{}' objects doesn't apply to a '{}' object",
                            method, type->name, type_name(self)));
}

}  // namespace

void add_method(Class& type, const std::string& name, Method method) {
  // The class owns the method; a shared pointer in it would be a cycle.
  const std::weak_ptr<Class> owner = type.order.front();
  type.members.emplace_back(
      name, make_builtin(type.name + "." + name,
                         [method, name, owner](Evaluator& evaluator, const Arguments& arguments,
                                               syntax::Range) {
                           check_self(evaluator, arguments, owner.lock(), name);
                           return method(evaluator, arguments);
                         }));
}

void add_property(Class& type, const std::string& name, Method method) {
  add_method(type, name, method);
  (*as<Builtin>(type.members.back().second))->is_property = true;
}

std::shared_ptr<Namespace> make_namespace(const std::string& name) {
  auto names = std::make_shared<Namespace>();
  names->name = name;
  names->names = std::make_shared<Scope>();
  return names;
}

void add_function(Namespace& names, const std::string& name, Method function) {
  names.names->set(
      name, make_builtin(names.name + "." + name,
                         [function](Evaluator& evaluator, const Arguments& arguments,
                                    syntax::Range) { return function(evaluator, arguments); }));
}

void add_function(Evaluator& evaluator, const std::string& name, Method function) {
  evaluator.add_global(
      name, make_builtin(name, [function](Evaluator& with, const Arguments& arguments,
                                          syntax::Range) { return function(with, arguments); }));
}

Value operator_of(const Evaluator& evaluator, const std::string& space, const std::string& name) {
  const OperatorRefusal* refusal = refusal_outside_layers(name);
  if (!refusal || evaluator.is_in_layer()) return operator_named(space, name);
  throw Mistake(refused_words(name, *refusal), std::string(refusal->remedy));
}

Value Evaluator::known_operator(const std::string& space, const std::string& name) {
  // Each time, because some are refused outside of layers.
  Value made = operator_of(*this, space, name);
  return operators_.try_emplace(space + "." + name, std::move(made)).first->second;
}

bool is_layer(const FileValues& file) { return !file.file->source->is_file(); }

bool is_of_source(const Class& type) { return type.is_module || type.file != nullptr; }

bool is_hidden(const std::string& name) { return name.starts_with('@'); }

void expect_same_layout(const Class& before, const Class& after) {
  const bool are_of_source = is_of_source(before) && is_of_source(after);
  if (are_of_source && before.is_module == after.is_module) return;
  throw Mistake::of("TypeError",
                    fmt::format("__class__ assignment: '{}' object layout differs from "
                                "'{}'",
                                after.name, before.name));
}

std::optional<bool> gradient_mode_of(const Value& context) {
  const auto* object = as<Object>(context);
  if (!object || (*object)->type->file || (*object)->type->name != "gradients") return std::nullopt;
  const Value* mode = find_named((*object)->attributes, "mode");
  const bool* is_on = mode ? std::get_if<bool>(mode) : nullptr;
  return is_on ? std::optional(*is_on) : std::nullopt;
}

}  // namespace knead::engine::model
