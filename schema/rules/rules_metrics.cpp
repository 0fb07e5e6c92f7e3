#include <fmt/format.h>

#include "schema/rules/rule_list.h"

namespace knead::schema {

void metrics_suit_the_loss(const RuleView& recipe) {
  const Node* metrics = recipe.find("evaluate.metrics");
  const std::string loss = recipe.text("loss.type");
  if (!metrics || loss.empty()) return;
  // A doubtful target counts as one, because validation has reported it.
  const bool has_target = !recipe.is_absent("loss.target");
  const bool of_numbers = is_one_of(loss, {"mse", "l1", "smooth_l1", "huber", "poisson_nll"});
  const bool of_classes = is_one_of(loss, {"cross_entropy", "nll"});
  for (const Node& metric : metrics->items) {
    const std::string& type = metric.at("type").text;
    // Script metrics and metrics with a target of their own do not depend on the loss.
    if (type == "script" || metric.find("target")) continue;
    const bool about_numbers = is_one_of(type, {"mae", "mse", "rmse", "r2"});
    if (!has_target) {
      recipe.error("metric-target", metric.place,
                   fmt::format("{} compares the output with a target, and loss ({}) names none",
                               type, recipe.where("loss.type")),
                   "write 'target: FIELD' in loss or in the metric");
    } else if (of_numbers && !about_numbers) {
      recipe.warning(
          "metric-mismatch", metric.place,
          fmt::format("{} compares classes; {} is {}", type, recipe.reference("loss.type"), loss));
    } else if (of_classes && about_numbers) {
      recipe.warning(
          "metric-mismatch", metric.place,
          fmt::format("{} compares numbers; {} is {}", type, recipe.reference("loss.type"), loss));
    }
  }
}

}  // namespace knead::schema
