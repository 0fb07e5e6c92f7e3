#pragma once

#include <memory>

#include "recipe/loss.h"
#include "runner/engine/losses/loss.h"

namespace knead::engine::losses {

// Makes losses that compare each number of the output with the number at its place in the target,
// as the losses of torch.nn with these names do. Compares an output (N, 1) and a target (N), or the
// reverse, item by item; torch would broadcast both to (N, N).

/// Makes the square of the difference of output and target.
std::unique_ptr<Loss> make_elementwise(const recipe::Mse& options);
/// Makes the absolute difference of output and target.
std::unique_ptr<Loss> make_elementwise(const recipe::L1& options);
/// Makes d² ÷ 2β for an absolute difference d below β, else d − β ÷ 2; for β = 0 it is L1.
std::unique_ptr<Loss> make_elementwise(const recipe::SmoothL1& options);
/// Makes d² ÷ 2 for an absolute difference d below δ, else δ · (d − δ ÷ 2).
std::unique_ptr<Loss> make_elementwise(const recipe::Huber& options);
/// Makes the binary cross entropy of logits. The loss throws knead::Error for a target outside [0,
/// 1], and for factors that are neither one for all nor one for each label, the last dimension.
std::unique_ptr<Loss> make_elementwise(const recipe::BceWithLogits& options);
/// Makes the Kullback-Leibler divergence of log-probabilities. Its mean is over the numbers, or
/// over the samples with `reduction: batchmean`.
std::unique_ptr<Loss> make_elementwise(const recipe::KlDiv& options);
/// Makes the negative log likelihood of counts under a Poisson distribution.
std::unique_ptr<Loss> make_elementwise(const recipe::PoissonNll& options);
/// Makes the hinge loss of distances. The loss throws knead::Error for a target other than 1 and
/// -1.
std::unique_ptr<Loss> make_elementwise(const recipe::HingeEmbedding& options);

/// Returns the target on the device of the output, with its shape and the dtype of
/// options_beside(); shares memory with `target` where nothing changes. Throws UnfitOutput unless
/// the shapes are equal but for a last dimension of 1 beside the samples: (N, 1) fits (N). `asker`:
/// the type of the loss or metric; `field`: the name of the target.
at::Tensor aligned(const at::Tensor& target, const at::Tensor& output, const std::string& asker,
                   const std::string& field);

/// Throws knead::Error, which names the first one, if a target holds a number other than 1 and -1.
/// `target` should lie in host memory, or the call waits for the device.
void expect_signs(const at::Tensor& target, const std::string& asker, const std::string& field);

}  // namespace knead::engine::losses
