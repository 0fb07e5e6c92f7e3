#include "runner/engine/model/python/builtins/builtins.h"

#include "runner/engine/model/python/expressions/add_expressions.h"
#include "runner/engine/model/python/numpy/numpy.h"

namespace knead::engine::model {

/// The order matters: libraries and torch refer to types and modules that are added before them.
void add_builtins(Evaluator& evaluator) {
  add_types(evaluator);
  add_functions(evaluator);
  add_iteration(evaluator);
  add_math(evaluator);
  add_libraries(evaluator);
  add_itertools(evaluator);
  add_standard(evaluator);
  // torch takes its constants from math and jit.Final from typing, so it comes last.
  add_torch(evaluator);
  add_numpy(evaluator);
  add_einops(evaluator);
  add_expressions(evaluator);
}

}  // namespace knead::engine::model
