#pragma once

#include "runner/engine/optimize/rule.h"

namespace knead::engine::optimize {

// Computes the parts that are common to the rules derived from Adam without a fused kernel.

/// Holds the decay rates of the averages of gradients and of squared gradients: the share of an
/// average that one update keeps.
struct Betas {
  double first, second;
};

/// Updates both averages in place: a ← β₁ a + (1 − β₁) g and s ← β₂ s + (1 − β₂) g².
void move_averages(Tensors& averages, Tensors& squares, const Tensors& gradients, Betas betas);

/// Applies weight decay and returns the gradients to continue with. If `is_decoupled`, multiplies
/// the parameters by 1 − lr · decay, as AdamW does; else adds decay · parameters to a copy of the
/// gradients, as Adam does. For a decay of 0 changes nothing.
Tensors decay(Lists& lists, double lr, double decay, bool is_decoupled);

}  // namespace knead::engine::optimize
