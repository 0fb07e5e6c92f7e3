#include <fmt/format.h>

#include "schema/document/scalar.h"
#include "schema/rules/computed_metrics.h"
#include "schema/rules/rule_list.h"

namespace knead::schema {
namespace {

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
  const Node* baseline = expectation.find("baseline");
  const auto key = [&](const char* name) { return recipe.key_place(path + "." + name); };
  if (expectation.find("at_most_worse") && recipe.is_absent(path + ".baseline")) {
    recipe.error("needs-other-key", key("at_most_worse"), "'at_most_worse' needs 'baseline'",
                 "as in {baseline: ../main/runs/digits, at_most_worse: 0.01}");
    return;
  }
  if (!least && !most && !equals) {
    const bool certain = recipe.is_absent(path + ".at_least") &&
                         recipe.is_absent(path + ".at_most") && recipe.is_absent(path + ".equals");
    if (baseline && expectation.find("within")) {
      recipe.error("needs-other-key", key("within"), "'within' needs 'equals'",
                   "the distance from a baseline is written as 'at_most_worse'");
    } else if (certain && recipe.is_absent(path + ".baseline")) {
      recipe.error("expect-bounds", key("metric"),
                   fmt::format("{} expects nothing of the metric", path),
                   "write at_least, at_most, equals or baseline");
    }
    return;
  }
  if (equals && (least || most)) {
    recipe.error("not-together", key("equals"),
                 "'equals' does not go with 'at_least' and 'at_most'",
                 "a distance is written as 'within'");
  } else if (equals && baseline) {
    recipe.error("not-together", key("equals"), "'equals' does not go with 'baseline'",
                 "at_least and at_most do");
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
  if (baseline) return;  // which bounds the metric on its bad side
  const Node* reversed = is_high ? (least ? nullptr : most) : (most ? nullptr : least);
  if (!reversed) return;
  recipe.warning("goal-reversed", reversed->place,
                 fmt::format("{} is better when it is {}, and this only bounds it on that side",
                             metric, is_high ? "high" : "low"),
                 fmt::format("did you mean {}?", is_high ? "at_least" : "at_most"));
}

}  // namespace

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
