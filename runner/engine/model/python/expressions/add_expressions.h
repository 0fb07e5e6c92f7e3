#pragma once

#include "runner/engine/model/python/evaluator/evaluator.h"

namespace knead::engine::model {

/// Adds what Python's module re is made from; the module itself is text: models/layers. Layer files
/// alone know the names.
void add_expressions(Evaluator& evaluator);

}  // namespace knead::engine::model
