#pragma once

#include <string>

#include "runner/engine/model/python/evaluator/evaluator.h"
#include "runner/engine/model/python/evaluator/native.h"

namespace knead::engine::model {

// Defines the names that models use without an import and the modules that they import.

/// Adds everything below; must be called before an Evaluator runs source.
void add_builtins(Evaluator& evaluator);

void add_functions(Evaluator& evaluator);  // len, getattr, print, …
void add_iteration(Evaluator& evaluator);  // zip, map, sum, sorted, …
void add_types(Evaluator& evaluator);      // int, str, list, …, the exceptions
void add_math(Evaluator& evaluator);       // import math
void add_itertools(Evaluator& evaluator);  // import itertools
void add_libraries(Evaluator& evaluator);  // typing, dataclasses, functools, copy, collections, …
void add_torch(Evaluator& evaluator);      // torch, torch.nn: what is not an operator or a layer
void add_types_of_torch(Evaluator& evaluator, Scope& names);  // torch.Tensor, FloatTensor, …
void add_einops(Evaluator& evaluator);                        // einops; its layers are text
void add_standard(Evaluator& evaluator);  // sys, inspect, types, …: parts of the standard library

/// Adds the modules of torch that contain no layers: torch.cuda, torch.linalg, torch.jit, … The
/// type Module is there before.
void add_modules_of_torch(Evaluator& evaluator, Namespace& torch);

/// Adds the names by which the layer file of torch.autograd computes gradients and applies a
/// torch.autograd.Function, whose backward autograd calls later. The evaluator must live then.
void add_custom_gradients(Evaluator& evaluator);

/// Add the methods of a built-in type to its class. Methods that Python has and a model hardly
/// needs are missing; their use is an error with a similar name as remedy.
void add_text_methods(Class& type);
void add_list_methods(Class& type);
void add_tuple_methods(Class& type);
void add_dict_methods(Class& type);
void add_set_methods(Class& type);
void add_tensor_methods(Class& type);

/// Returns the items in order, as sorted() and list.sort() do; `key` may be None. The sort is
/// stable, also with `reverse`, and computes each key once. Throws Mistake for items without order.
Values sorted_items(Evaluator& evaluator, Values items, const Value& key, bool reverse);

}  // namespace knead::engine::model
