#pragma once

#include "runner/engine/model/python/numpy/arrays.h"
#include "runner/engine/model/python/numpy/mersenne_twister.h"

namespace knead::engine::model::numpy {

/// Returns the generator of a RandomState. Its bytes are in a tensor, so that a copy of the object
/// has a generator of its own. Throws Mistake for the module's own one before seed() started it.
MersenneTwister& generator_of(const Value& state);

/// Returns the numbers below `count` in a random order.
at::Tensor shuffled_places(Evaluator& evaluator, MersenneTwister& generator, std::int64_t count);

/// Implements RandomState.choice.
Value choice(Evaluator& evaluator, const Arguments& arguments);

}  // namespace knead::engine::model::numpy
