#pragma once

#include <optional>
#include <string>

#include "runner/engine/model/python/evaluator/evaluator.h"

namespace knead::engine::model {

// Functions that define classes, functions and modules of Python in C++.

/// Returns an empty built-in class without bases; `construct` makes its objects and may be null,
/// and then __init__ makes them. A class of a file that derives from one with `construct` has no
/// objects: making one throws Mistake.
std::shared_ptr<Class> make_type(const std::string& name, BuiltinCall construct = nullptr);

/// Adds a method to a class. Its first argument is self; a call with an object of another class
/// throws Mistake in Python's words. The class must be the first of its own order.
using Method = Value (*)(Evaluator&, const Arguments&);
void add_method(Class& type, const std::string& name, Method method);
/// Adds a method that is called by the access to the attribute, as a property is.
void add_property(Class& type, const std::string& name, Method method);

/// Returns an empty module, which is not registered: Evaluator::add_module() makes it importable.
std::shared_ptr<Namespace> make_namespace(const std::string& name);
/// Add a function to a module, under the qualified name "module.name", or as a global name.
void add_function(Namespace& names, const std::string& name, Method function);
void add_function(Evaluator& evaluator, const std::string& name,
                  Method function);  // a global name

/// Adds the items of a dict, or of an iterable of pairs, to a dict; later keys replace earlier
/// ones. Throws Mistake for an item that is not a pair.
void add_items(Evaluator& evaluator, Dict& dict, const Value& from);

/// Returns an operator as a function, see operator_named(). Throws Mistake for an operator that
/// only layers may call, unless a layer file runs.
Value operator_of(const Evaluator& evaluator, const std::string& space, const std::string& name);

/// Returns whether a file is embedded, as the layers are, and not a file of the user.
bool is_layer(const FileValues& file);

// --- objects

// Objects of built-in classes hold what C++ reads in attributes that it expects: their class and
// these attributes are not for the source to change.

/// Returns whether the attributes of objects of a class are those of the source: a class of a file,
/// or a module.
bool is_of_source(const Class& type);

/// Returns whether a name is one that C++ gives to what it keeps in an object.
bool is_hidden(const std::string& name);

/// Throws Mistake for an assignment to __class__ after which C++ would find other attributes than
/// it expects.
void expect_same_layout(const Class& before, const Class& after);

/// Returns the mode of torch.no_grad() and its relatives; std::nullopt for any other value.
std::optional<bool> gradient_mode_of(const Value& context);

}  // namespace knead::engine::model
