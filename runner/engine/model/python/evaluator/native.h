#pragma once

#include <string>

#include "runner/engine/model/python/evaluator/evaluator.h"

namespace knead::engine::model {

// Functions that define classes, functions and modules of Python in C++.

/// Returns an empty built-in class; `construct` makes its objects and may be null.
std::shared_ptr<Class> make_type(const std::string& name, BuiltinCall construct = nullptr);

/// Adds a method to a class. Its first argument is self.
using Method = Value (*)(Evaluator&, const Arguments&);
void add_method(Class& type, const std::string& name, Method method);

/// Returns an empty module.
std::shared_ptr<Namespace> make_namespace(const std::string& name);
void add_function(Namespace& names, const std::string& name, Method function);
void add_function(Evaluator& evaluator, const std::string& name,
                  Method function);  // a global name

/// Adds the items of a dict, or of an iterable of pairs, to a dict.
void add_items(Evaluator& evaluator, Dict& dict, const Value& from);

/// Returns whether a file is a layer file and not a file of the user.
bool is_layer(const FileValues& file);

}  // namespace knead::engine::model
