#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "schema/document/scalar.h"
#include "schema/document/suggest.h"
#include "schema/rules/lengths.h"
#include "schema/rules/rule_list.h"

namespace knead::schema {
namespace {

bool has_set(const RuleView& recipe, std::string_view set) {
  return recipe.find(fmt::format("data.{}", set)) != nullptr;
}

/// Returns the name that a run gives to a metric: its own, or the name of its type.
std::string metric_name(const Node& metric) {
  if (const Node* name = metric.find("name")) return name->text;
  const std::string& type = metric.at("type").text;
  const std::int64_t top = type == "accuracy" ? metric.at("top").integer : 1;
  return top == 1 ? type : fmt::format("{}_top{}", type, top);
}

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

/// Returns whether a metric is computed on the validation set. False too if the names of the
/// computed metrics are doubtful.
bool is_validated(const RuleView& recipe, const std::string& metric) {
  const std::vector<std::string> names = computed_metrics(recipe);
  return metric.starts_with("validation/") &&
         std::find(names.begin(), names.end(), metric) != names.end();
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

/// Returns whether a metric is a share from 0 to 1.
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

/// Returns whether the metric that a key names is computed, and reports it otherwise.
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

/// Returns whether a bound is possible for its metric, and reports it otherwise: 88 for an accuracy
/// means 0.88.
bool is_possible(const RuleView& recipe, const std::string& metric, const Node* bound) {
  if (!bound || !metric_is_share(recipe, metric) || (bound->number >= 0 && bound->number <= 1))
    return true;
  const bool percent = bound->number > 1 && bound->number <= 100;
  recipe.error("out-of-range", bound->place,
               fmt::format("{} is a share from 0 to 1: '{}'", metric, bound->text),
               percent ? fmt::format("write {}", schema::number_text(bound->number / 100)) : "");
  return false;
}

/// Checks the bounds of one expectation.
void check_bounds(const RuleView& recipe, const std::string& path, const Node& expectation) {
  const Node* least = expectation.find("at_least");
  const Node* most = expectation.find("at_most");
  const Node* equals = expectation.find("equals");
  const auto key = [&](const char* name) { return recipe.key_place(path + "." + name); };
  if (!least && !most && !equals) {
    const bool certain = recipe.is_absent(path + ".at_least") &&
                         recipe.is_absent(path + ".at_most") && recipe.is_absent(path + ".equals");
    if (certain) {
      recipe.error("expect-bounds", key("metric"),
                   fmt::format("{} expects nothing of the metric", path),
                   "write at_least, at_most or equals");
    }
    return;
  }
  if (equals && (least || most)) {
    recipe.error("not-together", key("equals"),
                 "'equals' does not go with 'at_least' and 'at_most'",
                 "a distance is written as 'within'");
  } else if (least && most && least->number > most->number) {
    recipe.error("expect-bounds", least->place,
                 fmt::format("no number is at least {} and at most {}", least->text, most->text),
                 "");
  } else if (expectation.find("within") && !equals && recipe.is_absent(path + ".equals")) {
    recipe.error("needs-other-key", key("within"), "'within' needs 'equals'", "");
  }
  const std::string& metric = expectation.at("metric").text;
  if (!is_possible(recipe, metric, least) || !is_possible(recipe, metric, most) ||
      !is_possible(recipe, metric, equals)) {
    return;
  }
  const bool is_high = is_bigger_better(recipe, metric);
  const Node* reversed = is_high ? (least ? nullptr : most) : (most ? nullptr : least);
  if (!reversed) return;
  recipe.warning("goal-reversed", reversed->place,
                 fmt::format("{} is better when it is {}, and this only bounds it on that side",
                             metric, is_high ? "high" : "low"),
                 fmt::format("did you mean {}?", is_high ? "at_least" : "at_most"));
}

}  // namespace

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
  if (monitor->text.starts_with("validation/")) {
    check_metric(recipe, *monitor, "evaluate.monitor");
    return;
  }
  recipe.error(
      "unknown-metric", monitor->place,
      fmt::format("evaluate.monitor looks at the validation set, not at '{}'", monitor->text),
      "as in validation/loss");
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
  if (written && !written->text.starts_with("validation/")) {
    recipe.error("unknown-metric", written->place,
                 fmt::format("early_stopping.metric looks at the validation set, not at '{}'",
                             written->text),
                 "as in validation/loss");
    return;
  }
  if (written && !check_metric(recipe, *written, "early_stopping.metric")) return;
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

void expectations_are_sound(const RuleView& recipe) {
  const Node* expect = recipe.find("expect");
  if (!expect) return;
  for (std::size_t i = 0; i < expect->items.size(); ++i) {
    const std::string path = fmt::format("expect.{}", i);
    if (!recipe.find(path)) continue;
    if (const Node* metric = recipe.find(path + ".metric")) {
      if (check_metric(recipe, *metric, "expect")) check_bounds(recipe, path, expect->items[i]);
    }
  }
}

}  // namespace knead::schema
