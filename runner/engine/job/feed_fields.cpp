#include "runner/engine/job/feed_fields.h"

#include "runner/engine/batch/model_inputs.h"
#include "runner/engine/losses/loss.h"

namespace knead::engine {

FeedFields choose_fields(const recipe::Recipe& recipe, const model::Model& model,
                         const std::vector<data::Field>& fields) {
  std::vector<ForwardParameter> parameters;
  FeedFields chosen;
  for (const model::Input& input : model.inputs()) {
    parameters.push_back({input.name, input.fallback.has_value()});
    // None stands for an absent default and never reaches forward: choose_inputs() refuses a
    // parameter that has neither a field nor a default.
    chosen.fallbacks.push_back(input.fallback ? c10::IValue(*input.fallback) : c10::IValue());
  }
  chosen.inputs = choose_inputs(recipe.model, parameters, fields, losses::target_of(recipe.loss));
  return chosen;
}

}  // namespace knead::engine
