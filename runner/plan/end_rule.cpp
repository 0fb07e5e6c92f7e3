#include "runner/plan/end_rule.h"

#include "runner/plan/decide.h"

namespace knead::plan {

EndRule::EndRule(const recipe::Recipe& recipe, const Windows& windows)
    : early_(recipe.early_stopping),
      steps_(total_steps(recipe.train, windows)),
      seconds_(recipe.train.until.value),
      evaluate_("evaluate.every", {recipe.evaluate.every}, windows) {}

bool EndRule::is_whole(std::uint64_t step, double seconds) const {
  return steps_ ? step >= *steps_ : seconds >= seconds_;
}

Evaluations EndRule::planned(Evaluations evaluations) const {
  if (evaluate_.has_clock()) return evaluations;  // due times are not known afterwards
  std::erase_if(evaluations, [&](const Evaluation& each) {
    // A run evaluates at its end, whatever evaluate.every says.
    const bool is_end = steps_ && each.step == *steps_;
    return each.step > 0 && !is_end && !evaluate_.due(each.step);
  });
  return evaluations;
}

std::optional<std::string> EndRule::why_early(std::uint64_t step,
                                              const Evaluations& evaluations) const {
  // Before the first step every evaluation is one of untrained weights.
  if (!early_ || step == 0) return std::nullopt;
  return why_stop_early(patience_of(*early_), planned(evaluations));
}

}  // namespace knead::plan
