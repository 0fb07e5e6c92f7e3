#pragma once

#include <functional>
#include <optional>
#include <string>

#include "runner/engine/model/python/evaluator/evaluator.h"

namespace knead::engine::model {

// Implements the attributes and the listings of nn.Module.

/// Returns `training`, or a parameter, buffer or submodule of this name; std::nullopt if none
/// exists.
std::optional<Value> find_in_module(const Object& module, const std::string& name);

/// Assigns an attribute as nn.Module.__setattr__ does: registers Parameters and Modules. Throws
/// Mistake if __init__ of nn.Module did not run.
void set_in_module(Evaluator& evaluator, Object& module, const std::string& name, Value value);
void set_plain_attribute(Object& object, const std::string& name, Value value);

/// Removes an attribute; returns false if there was none.
bool remove_from_module(Object& object, const std::string& name);

/// Register a part of a module under a name. Throw Mistake for a value of another type or a name
/// that is taken.
void register_parameter(Evaluator& evaluator, Object& module, const std::string& name,
                        const Value& value);
void register_buffer(Object& module, const std::string& name, const Value& value, bool persistent);
void register_module(Object& module, const std::string& name, const Value& value);

/// Returns the module in a value; throws Mistake "'X' object is not a Module".
Object& module_of(const Value& value);

/// Returns self, the first argument of a method of nn.Module.
std::shared_ptr<Object> module_of_self(const Arguments& arguments);

/// Calls `visit` with the dotted name of each module: `module` first, each module once.
using VisitModule = std::function<void(const std::string&, const std::shared_ptr<Object>&)>;
void visit_modules(const std::shared_ptr<Object>& module, const VisitModule& visit,
                   const std::string& prefix = "");

/// Return the tensors of a module and its submodules by dotted name, each tensor once unless
/// `each_once` is false.
NamedValues named_parameters(const std::shared_ptr<Object>& module, bool recurse = true,
                             bool each_once = true);
NamedValues named_buffers(const std::shared_ptr<Object>& module, bool recurse = true,
                          bool persistent_only = false);

/// Implements copy.deepcopy: returns a copy that shares no mutable value. Throws Mistake for a
/// tensor with a gradient history.
Value deep_copy(Evaluator& evaluator, const Value& value);

/// Returns the class nn.Module.
std::shared_ptr<Class> module_type();
void add_module_lists(Class& type);  // parameters(), named_modules(), state_dict(), …
/// Adds Sequential, ModuleList, ParameterList and ModuleDict to the names of torch.nn.
void add_containers(Evaluator& evaluator, Scope& names, const std::shared_ptr<Class>& module);

/// Returns each child once, under its first name.
NamedValues named_children(const Object& module);

}  // namespace knead::engine::model
