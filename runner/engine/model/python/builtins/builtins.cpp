#include "runner/engine/model/python/builtins/builtins.h"

namespace knead::engine::model {

void add_builtins(Evaluator& evaluator) {
  add_types(evaluator);
  add_functions(evaluator);
  add_iteration(evaluator);
  add_math(evaluator);
  add_libraries(evaluator);
  add_torch(evaluator);
}

}  // namespace knead::engine::model
