#pragma once

#include <memory>

#include "recipe/loss.h"
#include "runner/engine/losses/loss.h"

namespace knead::engine::losses {

// Makes losses of torch.nn that take two outputs, as a tuple or list, and a target of 1 and -1.

/// Makes torch.nn.CosineEmbeddingLoss: outputs (N, D), target (N).
std::unique_ptr<Loss> make_cosine_embedding(const recipe::CosineEmbedding& options);
/// Makes torch.nn.MarginRankingLoss: outputs and target of one shape.
std::unique_ptr<Loss> make_margin_ranking(const recipe::MarginRanking& options);

}  // namespace knead::engine::losses
