#pragma once

#include "runner/engine/model/python/evaluator/evaluator.h"
#include "schema/document/node.h"
#include "schema/document/problem.h"

namespace knead::engine::model {

/// Converts a value of a recipe. A map becomes an object if `annotation` names a dataclass or a
/// plain class of `file`; `annotation` may be null. Adds what does not fit to `problems`.
Value to_value(Evaluator& evaluator, const schema::Node& node, const syntax::Expression* annotation,
               const FileValues& file, schema::Problems& problems);

/// Convert `model.args` to the arguments of a class's __init__ or of a function. Throw
/// schema::InvalidRecipe with every unknown and missing argument.
Arguments to_arguments(Evaluator& evaluator, const Class& type, const schema::Node& args);
Arguments to_arguments(Evaluator& evaluator, const Function& function, const schema::Node& args);

}  // namespace knead::engine::model
