#pragma once

#include <memory>

#include "recipe/loss.h"
#include "runner/engine/losses/loss.h"

namespace knead::engine::losses {

// Makes losses that compare each number of the output with the number at its place in the target,
// as the losses of torch.nn with these names do. Compares an output (N, 1) and a target (N), or the
// reverse, item by item; torch would broadcast both to (N, N).

std::unique_ptr<Loss> make_elementwise(const recipe::Mse& options);
std::unique_ptr<Loss> make_elementwise(const recipe::L1& options);
std::unique_ptr<Loss> make_elementwise(const recipe::SmoothL1& options);
std::unique_ptr<Loss> make_elementwise(const recipe::Huber& options);
std::unique_ptr<Loss> make_elementwise(const recipe::BceWithLogits& options);
std::unique_ptr<Loss> make_elementwise(const recipe::KlDiv& options);
std::unique_ptr<Loss> make_elementwise(const recipe::PoissonNll& options);
std::unique_ptr<Loss> make_elementwise(const recipe::HingeEmbedding& options);

/// Returns the target on the device of the output, with its shape and the dtype of
/// options_beside(). Throws knead::Error unless the shapes are equal but for a last dimension of 1.
/// `asker`: the type of the loss or metric.
at::Tensor aligned(const at::Tensor& target, const at::Tensor& output, const std::string& asker,
                   const std::string& field);

/// Throws knead::Error if a target holds a number other than 1 and -1.
void expect_signs(const at::Tensor& target, const std::string& asker, const std::string& field);

}  // namespace knead::engine::losses
