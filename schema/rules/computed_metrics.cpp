#include "schema/rules/computed_metrics.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "schema/document/suggest.h"
#include "schema/table/table.h"

namespace knead::schema {
namespace {

/// Returns the names SET/METRIC that a run computes; empty if they are doubtful.
std::vector<std::string> computed_metrics(const RuleView& recipe) {
  const Node* metrics = recipe.find("evaluate.metrics");
  if (!metrics || !recipe.find("data")) return {};
  std::vector<std::string> names{"train/loss"};
  for (const char* set : {"validation", "test"}) {
    if (!has_set(recipe, set)) continue;
    names.push_back(fmt::format("{}/loss", set));
    for (const Node& metric : metrics->items)
      names.push_back(fmt::format("{}/{}", set, metric_name(metric)));
  }
  return names;
}

/// Returns METRIC of SET/METRIC.
std::string metric_part(std::string_view name) {
  return std::string(name.substr(name.find('/') + 1));
}

/// Returns the item of evaluate.metrics that computes SET/METRIC, or null for a loss.
const Node* metric_behind(const RuleView& recipe, std::string_view metric) {
  const Node* metrics = recipe.find("evaluate.metrics");
  if (!metrics) return nullptr;
  for (const Node& each : metrics->items) {
    if (metric_name(each) == metric_part(metric)) return &each;
  }
  return nullptr;
}

/// Returns a hint for a metric that is not computed although its set exists.
std::string metric_hint(const std::string& written, const std::vector<std::string>& of_the_set) {
  const std::string metric = metric_part(written);
  std::vector<std::string> names;
  for (const std::string& name : of_the_set) names.push_back(metric_part(name));
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  const auto begins = std::find_if(names.begin(), names.end(),
                                   [&](const std::string& n) { return n.starts_with(metric); });
  const Type& metrics = *type_at(recipe_type(), "evaluate.metrics")->items;
  if (begins == names.end() && find_kind(metrics, metric))
    return fmt::format("add it: evaluate.metrics: {}", metric);
  const std::string near(begins != names.end() ? std::string_view(*begins)
                                               : nearest(metric, candidates));
  if (!near.empty())
    return fmt::format("did you mean '{}{}'?", written.substr(0, written.find('/') + 1), near);
  return fmt::format("there is {}; more by evaluate.metrics", fmt::join(of_the_set, ", "));
}

}  // namespace

bool has_set(const RuleView& recipe, std::string_view set) {
  return recipe.find(fmt::format("data.{}", set)) != nullptr;
}

std::string metric_name(const Node& metric) {
  if (const Node* name = metric.find("name")) return name->text;
  const std::string& type = metric.at("type").text;
  const std::int64_t top = type == "accuracy" ? metric.at("top").integer : 1;
  return top == 1 ? type : fmt::format("{}_top{}", type, top);
}

bool is_validated(const RuleView& recipe, const std::string& metric) {
  const std::vector<std::string> names = computed_metrics(recipe);
  return metric.starts_with("validation/") &&
         std::find(names.begin(), names.end(), metric) != names.end();
}

bool metric_is_share(const RuleView& recipe, std::string_view metric) {
  const Node* item = metric_behind(recipe, metric);
  return item &&
         is_one_of(item->at("type").text, {"accuracy", "f1", "precision", "recall", "auroc"});
}

bool is_bigger_better(const RuleView& recipe, std::string_view metric) {
  const Node* item = metric_behind(recipe, metric);
  if (item && item->find("goal")) return item->at("goal").text == "maximize";
  return metric_is_share(recipe, metric) || (item && item->at("type").text == "r2");
}

bool check_metric(const RuleView& recipe, const Node& written, std::string_view key) {
  const std::vector<std::string> names = computed_metrics(recipe);
  // The list is empty only if the metrics or the data are doubtful: train/loss is always computed.
  if (names.empty()) return false;
  if (std::find(names.begin(), names.end(), written.text) != names.end()) return true;
  const std::string set = written.text.substr(0, written.text.find('/'));
  const bool is_set = set == "validation" || set == "test";
  if (is_set && !has_set(recipe, set)) {
    if (recipe.is_absent(fmt::format("data.{}", set))) {
      recipe.error("needs-validation", written.place,
                   fmt::format("{} names '{}', but there is no data.{}", key, written.text, set),
                   fmt::format("add data.{}, as in {{like: train, hold_out: 10%}}", set));
    }
    return false;
  }
  std::vector<std::string> of_the_set;
  for (const std::string& name : names) {
    if (!is_set || name.starts_with(set + "/")) of_the_set.push_back(name);
  }
  recipe.error("unknown-metric", written.place,
               fmt::format("{} names '{}', which is never computed", key, written.text),
               is_set ? metric_hint(written.text, of_the_set)
                      : did_you_mean(written.text, names, metric_hint(written.text, of_the_set)));
  return false;
}

bool check_validated(const RuleView& recipe, const Node& written, std::string_view key) {
  if (written.text.starts_with("validation/")) return check_metric(recipe, written, key);
  recipe.error("unknown-metric", written.place,
               fmt::format("{} looks at the validation set, not at '{}'", key, written.text),
               "as in validation/loss");
  return false;
}

}  // namespace knead::schema
