#pragma once

#include "runner/engine/model/python/numpy/arrays.h"

namespace knead::engine::model::numpy {

// Functions that NumPy applies to each item (its ufuncs) and the operators of arrays.
//
// Sums, products, quotients, comparisons, roots and roundings have the same bits as in NumPy. The
// others (exp, log, sin, pow, …) are those of the C library, in float64 and float32: NumPy calls
// the same ones for float64 on processors without AVX-512, and may be off by up to 4 units in the
// last place elsewhere, and for exp, log, sin, cos and tanh of float32.

/// Adds the functions of one array (exp, sqrt, isnan, …) and of two (add, maximum, …).
void add_elementwise(Namespace& names);
void add_binary_functions(Namespace& names);

/// Adds __add__ and the other operator methods, the reflected ones and comparisons, to a class of
/// arrays or numbers of NumPy; `in_place` adds __iadd__ and its like, which change an array.
void add_operators(Class& type, bool in_place);

/// Calls a function by its name: binary_function(evaluator, "add", a, b). The name must exist.
Value binary_function(Evaluator& evaluator, std::string_view name, const Value& left,
                      const Value& right);
Value unary_function(Evaluator& evaluator, std::string_view name, const Value& value);

/// Rounds to a number of decimals as np.round does, half to even.
at::Tensor rounded_to(const at::Tensor& numbers, std::int64_t decimals);

}  // namespace knead::engine::model::numpy
