#pragma once

#include <memory>

#include "recipe.h"
#include "runner/engine/losses/loss.h"

namespace knead::engine::losses {

// Losses of two outputs, a tuple or list of them, and a target of 1 and -1: those of torch.nn.

std::unique_ptr<Loss> make_cosine_embedding(const recipe::CosineEmbedding& options);
std::unique_ptr<Loss> make_margin_ranking(const recipe::MarginRanking& options);

}  // namespace knead::engine::losses
