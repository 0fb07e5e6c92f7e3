#pragma once

#include <functional>
#include <optional>
#include <string>

#include "runner/engine/model/python/evaluator/evaluator.h"

namespace knead::engine::model {

// Implements the attributes and the listings of nn.Module.

/// Returns `training`, or a parameter, buffer or submodule of this name; None for a part that is
/// registered as None; std::nullopt if none exists. Plain attributes are not searched.
std::optional<Value> find_in_module(const Object& module, const std::string& name);

/// Assigns an attribute as nn.Module.__setattr__ does: registers Parameters and Modules, replaces
/// buffers, and keeps everything else as a plain attribute. Throws Mistake if __init__ of nn.Module
/// did not run before the registration of a part, or if a part is replaced by a value of another
/// type.
void set_in_module(Evaluator& evaluator, Object& module, const std::string& name, Value value);
/// Sets an attribute without any registration, as objects that are not modules do. A new attribute
/// is appended.
void set_plain_attribute(Object& object, const std::string& name, Value value);

/// Removes an attribute from all four lists of an object; returns false if there was none.
bool remove_from_module(Object& object, const std::string& name);

/// Register a part of a module under a name; None is allowed and keeps the name. A part of this
/// kind and name is replaced. Throw Mistake for a value of another type, a name that another
/// attribute has, a name with a dot or an empty one, and before __init__ of nn.Module ran.
void register_parameter(Evaluator& evaluator, Object& module, const std::string& name,
                        const Value& value);
void register_buffer(Object& module, const std::string& name, const Value& value, bool persistent);
void register_module(Object& module, const std::string& name, const Value& value);

/// Makes another method the forward of one object, by a class of its own below the object's class.
/// Throws Mistake for a value that is not a method of the object.
void replace_forward(Object& module, const Value& value);

/// Returns the module in a value, which owns it; throws Mistake "'X' object is not a Module".
Object& module_of(const Value& value);

/// Returns self, the first argument of a method of nn.Module. Throws Mistake if it is absent or not
/// a module.
std::shared_ptr<Object> module_of_self(const Arguments& arguments);

/// Calls `visit` with the dotted name of each module, such as "blocks.0.norm": `module` itself
/// first, with the name `prefix`, then pre-order, each module once under its first name.
using VisitModule = std::function<void(const std::string&, const std::shared_ptr<Object>&)>;
void visit_modules(const std::shared_ptr<Object>& module, const VisitModule& visit,
                   const std::string& prefix = "");

/// Return the tensors of a module and its submodules by dotted name, a module's own before those of
/// its submodules, each tensor once unless `each_once` is false; parts that are None are left out.
/// Without `recurse` only the module's own tensors.
NamedValues named_parameters(const std::shared_ptr<Object>& module, bool recurse = true,
                             bool each_once = true);
NamedValues named_buffers(const std::shared_ptr<Object>& module, bool recurse = true,
                          bool persistent_only = false);

/// Implements copy.deepcopy: returns a copy that shares no mutable value. Two references to one
/// value become references to one copy, so tied weights stay tied; functions, classes and members
/// of an Enum are not copied. Throws Mistake for a tensor with a gradient history and for an
/// iterator.
Value deep_copy(Evaluator& evaluator, const Value& value);

/// Returns a new class nn.Module with its methods. An evaluator needs exactly one.
std::shared_ptr<Class> module_type();
/// Adds the methods that list the parts of a module: parameters(), named_modules(), state_dict(), …
void add_module_lists(Class& type);
/// Adds Sequential, ModuleList, ParameterList and ModuleDict to the names of torch.nn; `module` is
/// the class nn.Module.
void add_containers(Evaluator& evaluator, Scope& names, const std::shared_ptr<Class>& module);

/// Returns each direct submodule once, under its first name; those that are None are left out.
NamedValues named_children(const Object& module);

}  // namespace knead::engine::model
