#pragma once

#include <memory>

#include "recipe/loss.h"
#include "runner/engine/losses/loss.h"

namespace knead::engine::losses {

// Makes losses of torch.nn that take two outputs, as a tuple or list, and a target of 1 and -1.

/// Makes torch.nn.CosineEmbeddingLoss: outputs (N, D), target (N). A target of 1 pulls the two
/// vectors of a sample together, -1 pushes them apart to a cosine below the margin. The loss throws
/// UnfitOutput for other shapes, knead::Error for another target.
std::unique_ptr<Loss> make_cosine_embedding(const recipe::CosineEmbedding& options);
/// Makes torch.nn.MarginRankingLoss: outputs and target of one shape. A target of 1 asks for a
/// higher first output, -1 for a higher second one. Throws as the loss of make_cosine_embedding().
std::unique_ptr<Loss> make_margin_ranking(const recipe::MarginRanking& options);

}  // namespace knead::engine::losses
