#pragma once

#include <string>

#include "runner/engine/model/evaluator.h"

namespace knead::engine::model {

// What models find without importing it, and what they can import.

/// Everything below, called by the Evaluator when it is made.
void add_builtins(Evaluator& evaluator);

void add_functions(Evaluator& evaluator);  // len, getattr, print, …
void add_iteration(Evaluator& evaluator);  // zip, map, sum, sorted, …
void add_types(Evaluator& evaluator);      // int, str, list, …, the exceptions
void add_math(Evaluator& evaluator);       // import math
void add_libraries(Evaluator& evaluator);  // typing, dataclasses, functools, copy, collections, …
void add_torch(Evaluator& evaluator);      // torch, torch.nn: what is not an operator or a layer

/// The methods of texts, of lists, dicts and sets, and of tensors.
void add_text_methods(Class& type);
void add_list_methods(Class& type);
void add_tuple_methods(Class& type);
void add_dict_methods(Class& type);
void add_set_methods(Class& type);
void add_tensor_methods(Class& type);

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

/// A list in order, as sorted() and list.sort() make it.
Values sorted_items(Evaluator& evaluator, Values items, const Value& key, bool reverse);

/// Puts the items of a dict, or pairs, into a dict.
void add_items(Evaluator& evaluator, Dict& dict, const Value& from);

/// Whether a file is one of the layers, not the user's.
bool is_layer(const FileValues& file);

}  // namespace knead::engine::model
