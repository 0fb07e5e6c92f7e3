#pragma once

#include <string>

#include "runner/engine/model/python/evaluator/evaluator.h"

namespace knead::engine::model {

// What the classes, functions and modules that C++ defines for models are made of.

/// A class of ours with nothing in it.
std::shared_ptr<Class> make_type(const std::string& name, BuiltinCall construct = nullptr);

/// A method by its name. Its first argument is self.
using Method = Value (*)(Evaluator&, const Arguments&);
void add_method(Class& type, const std::string& name, Method method);

/// An empty module of ours.
std::shared_ptr<Namespace> make_namespace(const std::string& name);
void add_function(Namespace& names, const std::string& name, Method function);
void add_function(Evaluator& evaluator, const std::string& name,
                  Method function);  // without import

/// Puts the items of a dict, or pairs, into a dict.
void add_items(Evaluator& evaluator, Dict& dict, const Value& from);

/// Whether a file is one of the layers, not the user's.
bool is_layer(const FileValues& file);

}  // namespace knead::engine::model
