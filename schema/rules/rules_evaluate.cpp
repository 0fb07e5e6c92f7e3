#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "schema/rules/computed_metrics.h"
#include "schema/rules/rule_list.h"

namespace knead::schema {
void evaluation_has_data(const RuleView& recipe) {
  const bool no_validation = recipe.is_absent("data.validation");
  if (!no_validation) return;
  if (recipe.meant("evaluate") && recipe.is_absent("data.test")) {
    recipe.error("needs-validation", recipe.key_place("evaluate"),
                 "'evaluate' needs data.validation", "add it, as in {like: train, hold_out: 10%}");
  }
  if (recipe.text("export.weights") == "best") {
    recipe.error("needs-validation", recipe.find("export.weights")->place,
                 "nothing is best without data.validation", "write last");
  }
  const Node* best = recipe.written("checkpoint.keep.best");
  if (best && best->integer > 0) {
    recipe.error("needs-validation", best->place, "nothing is best without data.validation", "");
  }
}

void monitor_is_computed(const RuleView& recipe) {
  const Node* monitor = recipe.written("evaluate.monitor");
  if (!monitor || !has_set(recipe, "validation")) return;
  check_validated(recipe, *monitor, "evaluate.monitor");
}

void metrics_are_distinct(const RuleView& recipe) {
  const Node* metrics = recipe.find("evaluate.metrics");
  if (!metrics) return;
  std::vector<std::string> names;
  for (const Node& metric : metrics->items) {
    const std::string name = metric_name(metric);
    if (is_one_of(name, {"loss", "step", "set", "seconds"})) {
      recipe.error("duplicate-metric", metric.at("name").place,
                   fmt::format("a metric cannot be called '{}'", name),
                   "each evaluation has a number of that name already");
    }
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      recipe.error("duplicate-metric", metric.place,
                   fmt::format("the metric '{}' is written twice", name), "");
    }
    names.push_back(name);
  }
}

void evaluation_happens(const RuleView& recipe) {
  const Node* every = recipe.find("evaluate.every");
  const auto interval = recipe.quantity("evaluate.every");
  const auto until = recipe.quantity("train.until");
  if (!every || !every->place || !interval || !until || !has_set(recipe, "validation")) return;
  // A conversion of units would need the length of an epoch, which only some recipes tell.
  if (interval->unit != until->unit || interval->value <= until->value) return;
  recipe.warning("evaluation-never", every->place,
                 fmt::format("the run ends before the first evaluation: train.until is {} ({})",
                             recipe.text("train.until"), recipe.where("train.until")),
                 "only the one at the end happens");
}

void early_stopping_is_sound(const RuleView& recipe) {
  if (!recipe.find("early_stopping")) return;
  if (recipe.is_absent("data.validation")) {
    recipe.error("needs-validation", recipe.key_place("early_stopping"),
                 "'early_stopping' needs data.validation",
                 "add it, as in {like: train, hold_out: 10%}");
    return;
  }
  const Node* written = recipe.find("early_stopping.metric");
  if (written && !check_validated(recipe, *written, "early_stopping.metric")) return;
  const std::string metric = written ? written->text : recipe.text("evaluate.monitor");
  const Node* goal = recipe.find("early_stopping.goal");
  // monitor_is_computed() reports a monitor that is not computed.
  if (!goal || !is_validated(recipe, metric) ||
      (goal->text == "maximize") == is_bigger_better(recipe, metric))
    return;
  recipe.warning("goal-reversed", goal->place,
                 fmt::format("{} is better when it is {}", metric,
                             is_bigger_better(recipe, metric) ? "high" : "low"),
                 "leave 'goal' out");
}

void plateau_has_evaluations(const RuleView& recipe) {
  if (recipe.text("schedule.type") != "plateau" || !recipe.is_absent("data.validation")) return;
  recipe.error("needs-validation", recipe.key_place("schedule"),
               "the schedule plateau needs data.validation",
               "add it, as in {like: train, hold_out: 10%}");
}

}  // namespace knead::schema
