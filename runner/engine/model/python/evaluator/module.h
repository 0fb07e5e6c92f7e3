#pragma once

#include <functional>
#include <optional>
#include <string>

#include "runner/engine/model/python/evaluator/evaluator.h"

namespace knead::engine::model {

// nn.Module: what its attributes are, and what can be listed of it.

/// A parameter, buffer or submodule under its own name, and `training`.
std::optional<Value> find_in_module(const Object& module, const std::string& name);

/// Assignment as nn.Module.__setattr__ does it: Parameters and Modules are registered.
void set_in_module(Evaluator& evaluator, Object& module, const std::string& name, Value value);
void set_plain_attribute(Object& object, const std::string& name, Value value);

/// Whether there was an attribute of that name to remove.
bool remove_from_module(Object& object, const std::string& name);

void register_parameter(Evaluator& evaluator, Object& module, const std::string& name,
                        const Value& value);
void register_buffer(Object& module, const std::string& name, const Value& value, bool persistent);
void register_module(Object& module, const std::string& name, const Value& value);

/// The module below a value; Mistake "'X' object is not a Module".
Object& module_of(const Value& value);

/// The module that a method of nn.Module is called on.
std::shared_ptr<Object> module_of_self(const Arguments& arguments);

/// Calls `visit` with the dotted name of each module, itself first, each module once.
using VisitModule = std::function<void(const std::string&, const std::shared_ptr<Object>&)>;
void visit_modules(const std::shared_ptr<Object>& module, const VisitModule& visit,
                   const std::string& prefix = "");

/// The tensors of a module and those below it under their dotted names.
NamedValues named_parameters(const std::shared_ptr<Object>& module, bool recurse = true,
                             bool each_once = true);
NamedValues named_buffers(const std::shared_ptr<Object>& module, bool recurse = true,
                          bool persistent_only = false);

/// A copy that shares nothing: what copy.deepcopy gives.
Value deep_copy(Evaluator& evaluator, const Value& value);

/// The class nn.Module, and the containers, whose behaviour is ours.
std::shared_ptr<Class> module_type();
void add_module_lists(Class& type);  // parameters(), named_modules(), state_dict(), …
void add_containers(Evaluator& evaluator, Scope& names, const std::shared_ptr<Class>& module);

/// Each child once, under its first name.
NamedValues named_children(const Object& module);

}  // namespace knead::engine::model
