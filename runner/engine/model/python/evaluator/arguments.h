#pragma once

#include "runner/engine/model/python/evaluator/evaluator.h"
#include "schema/document/node.h"
#include "schema/document/problem.h"

namespace knead::engine::model {

/// A value of a recipe. Where a dataclass is expected (an annotation, evaluated among the names of
/// `file`; may be null) a map becomes one. What does not fit is added to `problems`.
Value to_value(Evaluator& evaluator, const schema::Node& node, const syntax::Expression* annotation,
               const FileValues& file, schema::Problems& problems);

/// `model.args` as the arguments of a class's __init__, or of a function. Throws
/// schema::InvalidRecipe with every unknown and missing one.
Arguments to_arguments(Evaluator& evaluator, const Class& type, const schema::Node& args);
Arguments to_arguments(Evaluator& evaluator, const Function& function, const schema::Node& args);

}  // namespace knead::engine::model
