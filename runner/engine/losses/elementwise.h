#pragma once

#include <memory>

#include "recipe.h"
#include "runner/engine/losses/loss.h"

namespace knead::engine::losses {

// Losses of each number of the output with the one at its place in the target, as those of torch.nn
// of these names. An output (N, 1) and a target (N), or the other way round, are compared item by
// item; torch would compare each with each.

std::unique_ptr<Loss> make_elementwise(const recipe::Mse& options);
std::unique_ptr<Loss> make_elementwise(const recipe::L1& options);
std::unique_ptr<Loss> make_elementwise(const recipe::SmoothL1& options);
std::unique_ptr<Loss> make_elementwise(const recipe::Huber& options);
std::unique_ptr<Loss> make_elementwise(const recipe::BceWithLogits& options);
std::unique_ptr<Loss> make_elementwise(const recipe::KlDiv& options);
std::unique_ptr<Loss> make_elementwise(const recipe::PoissonNll& options);
std::unique_ptr<Loss> make_elementwise(const recipe::HingeEmbedding& options);

/// The target in the shape, the type and on the device of the output. Throws knead::Error unless
/// they have the same shape, but for a last dimension of 1. `asker`: the type of loss or metric.
at::Tensor aligned(const at::Tensor& target, const at::Tensor& output, const std::string& asker,
                   const std::string& field);

/// Throws knead::Error where a target holds anything but 1 and -1.
void expect_signs(const at::Tensor& target, const std::string& asker, const std::string& field);

}  // namespace knead::engine::losses
