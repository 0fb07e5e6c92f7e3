#pragma once

#include "runner/engine/model/python/evaluator/evaluator.h"
#include "schema/document/node.h"
#include "schema/document/problem.h"

namespace knead::engine::model {

/// Converts a value of a recipe. A map becomes an object if `annotation` names a dataclass or a
/// plain class of `file`, also as Optional, and a dict otherwise; lists convert their items by
/// `list[T]`. `annotation` may be null. Adds what does not fit to `problems`, with its place in the
/// recipe; an object is then not constructed, and its value is None. Throws what the constructor of
/// the object throws.
Value to_value(Evaluator& evaluator, const schema::Node& node, const syntax::Expression* annotation,
               const FileValues& file, schema::Problems& problems);

/// Convert `model.args` to the arguments of a class's __init__ or of a function; all are named. A
/// map for a parameter without annotation becomes an object of the only dataclass of the file that
/// has at least half of the keys as fields. Throw schema::InvalidRecipe with every unknown argument
/// or, if there is none, every missing one; Mistake for a missing argument if the recipe has no
/// model.args.
Arguments to_arguments(Evaluator& evaluator, const Class& type, const schema::Node& args);
Arguments to_arguments(Evaluator& evaluator, const Function& function, const schema::Node& args);

}  // namespace knead::engine::model
