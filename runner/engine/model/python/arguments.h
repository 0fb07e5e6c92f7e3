#pragma once

#include "runner/engine/model/python/evaluator/evaluator.h"
#include "schema/document/node.h"

namespace knead::engine::model {

/// Convert `model.args` to the arguments of a class's __init__ or of a function; all are named.
///
/// A map becomes an object of the class that the annotation names, also as Optional; a dict if the
/// annotation or the default says dict; without annotation an object of the only dataclass of the
/// file that has at least half of the keys as fields; and settings (settings.h) otherwise. A list
/// becomes a tuple if the annotation or the default is one, a list if they say list, and otherwise
/// a list that passes for a tuple.
///
/// Throw schema::InvalidRecipe with every unknown argument or, if there is none, every missing one;
/// Mistake for a missing argument if the recipe has no model.args, and what the constructor of an
/// object throws.
Arguments to_arguments(Evaluator& evaluator, const Class& type, const schema::Node& args);
Arguments to_arguments(Evaluator& evaluator, const Function& function, const schema::Node& args);

}  // namespace knead::engine::model
