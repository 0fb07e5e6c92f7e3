#pragma once

#include "runner/engine/optimize/rule.h"

namespace knead::engine::optimize {

// What the rules that follow Adam without a kernel of their own have in common.

/// How quickly the two averages move.
struct Betas {
  double first, second;
};

/// Moves the averages of gradients and of their squares.
void move_averages(Tensors& averages, Tensors& squares, const Tensors& gradients, Betas betas);

/// Shrinks the parameters by lr × decay, if `is_decoupled`; else the gradients with the decay
/// added.
Tensors decay(Lists& lists, double lr, double decay, bool is_decoupled);

}  // namespace knead::engine::optimize
