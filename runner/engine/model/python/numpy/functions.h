#pragma once

#include "runner/engine/model/python/evaluator/native.h"
#include "runner/engine/model/python/numpy/arrays.h"

namespace knead::engine::model::numpy {

// The functions of NumPy by subject; each adds its own to the module, and the methods of the same
// name and arguments to the class of arrays and to that of numbers.

/// The module and the classes that functions are added to.
struct Library {
  Evaluator& evaluator;
  Namespace& names;
  Class& array;    // numpy.ndarray
  Class& generic;  // numpy.generic, the numbers

  void function(const char* name, Method call) const { add_function(names, name, call); }
  /// Adds a function that is a method as well; its first argument is the array.
  void function_and_method(const char* name, Method call) const {
    function(name, call);
    method(name, call);
  }
  void method(const char* name, Method call) const {
    add_method(array, name, call);
    add_method(generic, name, call);
  }
};

void add_constructors(const Library& library);    // array, zeros, arange, linspace, …
void add_shapes(const Library& library);          // reshape, transpose, squeeze, flip, …
void add_joining(const Library& library);         // concatenate, stack, tile, repeat, split, …
void add_reductions(const Library& library);      // sum, mean, std, max, argmax, any, …
void add_running(const Library& library);         // cumsum, cumprod, diff
void add_ordering(const Library& library);        // sort, argsort, unique, searchsorted, …
void add_choosing(const Library& library);        // where, clip, take, nonzero, isclose, …
void add_matrices(const Library& library);        // dot, outer, kron, triu, diag, trace, einsum
void add_linear_algebra(const Library& library);  // numpy.linalg
void add_array_methods(const Library& library);   // astype, tolist, item, __getitem__, …
void add_random(const Library& library);          // numpy.random

}  // namespace knead::engine::model::numpy
