#pragma once

#include <cstdint>

#include "runner/engine/model/python/evaluator/evaluator.h"

namespace knead::engine::model {

/// Adds the generator of Python's module random, whose functions are text: models/layers. While the
/// model runs, it takes its words from the generator of torch, whose state a checkpoint holds.
void add_python_random(Evaluator& evaluator);

namespace numpy {

/// Returns the seed of torch, which is the recipe's while a model is built.
std::uint64_t seed_of_torch();

/// Draws 32 bits from the generator of torch on the CPU.
std::uint32_t word_of_torch();

/// Throws Mistake: the source gave a generator a seed and draws from it while the model runs, so a
/// resumed run would draw other numbers.
[[noreturn]] void refuse_seeded_draw();

}  // namespace numpy

}  // namespace knead::engine::model
