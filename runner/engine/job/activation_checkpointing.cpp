#include "runner/engine/job/activation_checkpointing.h"

#include "runner/engine/job/choose_modules.h"

namespace knead::engine {

void checkpoint_activations(model::Model& model, const std::vector<std::string>& patterns) {
  model.recompute(choose_modules(model, patterns, "activation_checkpointing"));
}

}  // namespace knead::engine
