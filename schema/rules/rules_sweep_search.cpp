#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "schema/document/scalar.h"
#include "schema/rules/computed_metrics.h"
#include "schema/rules/rule_lengths.h"
#include "schema/rules/rule_list.h"

namespace knead::schema {
namespace {

constexpr double kMostTrials = 1e6;
constexpr std::size_t kMostSobolKeys = 64;

/// Returns whether a search takes as many points as `trials` says.
bool needs_trials(const std::string& search) {
  return is_one_of(search, {"random", "sobol", "tpe"});
}

/// Requires `list` for the search list and `over` for the others, and refuses the other one.
void check_source(const RuleView& recipe, const std::string& search) {
  const bool is_list = search == "list";
  const std::string wanted = is_list ? "sweep.list" : "sweep.over";
  const std::string other = is_list ? "sweep.over" : "sweep.list";
  if (recipe.find(other) && recipe.find(wanted)) {
    recipe.error("not-together", recipe.key_place("sweep.list"),
                 fmt::format("'list' does not go with {}", recipe.reference("sweep.over")),
                 "keep one of them");
  } else if (recipe.find(other)) {
    recipe.error(
        "needs-other-key", recipe.key_place(other),
        is_list ? "'search: list' takes 'list', not 'over'" : "'list' needs 'search: list'",
        is_list ? "leave 'search' out for every combination of the values" : "");
  } else if (recipe.is_absent(wanted)) {
    recipe.error("sweep-space", recipe.key_place("sweep"), "'sweep' sweeps nothing",
                 is_list ? "for example 'list: [{optimizer.lr: 1e-3}, {optimizer.lr: 2e-3}]'"
                         : "for example 'over: {optimizer.lr: [1e-4, 1e-3]}'");
  } else if (const Node* over = recipe.find("sweep.over"); over && over->entries.empty()) {
    recipe.error("sweep-space", recipe.key_place("sweep.over"), "'over' has no key",
                 "for example '{optimizer.lr: [1e-4, 1e-3]}'");
  }
}

/// Returns how many different values a swept key can have; infinity for numbers of a range, and 0
/// if rules_sweep.cpp reports it.
double count_values(const Node& dimension) {
  if (const Node* values = dimension.find("values"))
    return static_cast<double>(values->items.size());
  const Node* integers = dimension.find("integers");
  if (!integers) return dimension.find("range") || dimension.find("log") ? HUGE_VAL : 0;
  return std::max(0.0, integers->items[1].number - integers->items[0].number + 1);
}

/// Requires `points` for a range in a grid, at most as many as there are numbers, and refuses it
/// elsewhere. Returns how many values the search takes of this key, 0 if that is not known.
double check_points(const RuleView& recipe, const Entry& entry, const std::string& search) {
  const Node& dimension = entry.value;
  const Entry* points = dimension.entry("points");
  const double most = count_values(dimension);
  if (search != "grid" || dimension.find("values")) {
    if (!points) return most;
    recipe.error("needs-other-key", points->place,
                 search == "grid"
                     ? "'points' needs 'range', 'log' or 'integers'"
                     : fmt::format("'points' is for a grid, here search is {}", search),
                 "");
    return 0;
  }
  if (!points && most > 0) {
    recipe.error("sweep-size", entry.place,
                 fmt::format("a grid needs 'points' for the range of '{}'", entry.key),
                 "how many numbers of the range it takes, as in 'points: 4'");
    return 0;
  }
  if (points && most > 0 && points->value.number > most) {
    recipe.error("sweep-size", points->value.place,
                 fmt::format("there are only {} whole numbers in the range", number_text(most)),
                 "");
    return 0;
  }
  return points ? points->value.number : 0;
}

/// Returns how many points a search can take: all combinations, infinity with a range; 0 if a
/// problem hides it.
double check_sizes(const RuleView& recipe, const std::string& search) {
  const Node* over = recipe.find("sweep.over");
  if (const Node* list = recipe.find("sweep.list"))
    return search == "list" && !over ? static_cast<double>(list->items.size()) : 0;
  double all = over ? 1 : 0;
  for (const Entry& entry : over ? over->entries : std::vector<Entry>())
    all *= check_points(recipe, entry, search);
  return all;
}

void check_most(const RuleView& recipe, const Place& place, double points) {
  const double seeds = recipe.number("sweep.seeds").value_or(1);
  if (!(points * seeds > kMostTrials)) return;
  recipe.error("sweep-size", place,
               fmt::format("{} trials are more than {}", number_text(points * seeds),
                           number_text(kMostTrials)),
               needs_trials(recipe.text("sweep.search"))
                   ? ""
                   : "a search with 'trials' takes some of the points");
}

void check_trials(const RuleView& recipe, const std::string& search, double points) {
  const Node* trials = recipe.find("sweep.trials");
  const Place place = recipe.key_place("sweep.trials");
  if (!needs_trials(search)) {
    if (trials) {
      recipe.error("not-together", place, fmt::format("'trials' does not go with a {}", search),
                   "it has a number of points of its own");
    } else {
      check_most(recipe, recipe.key_place(search == "list" ? "sweep.list" : "sweep.over"), points);
    }
    return;
  }
  if (recipe.is_absent("sweep.trials")) {
    recipe.error("missing-key", recipe.find("sweep.search")->place,
                 fmt::format("search {} needs 'trials'", search), "for example 'trials: 20'");
  } else if (trials && points > 0 && trials->number > points) {
    recipe.error("sweep-size", trials->place,
                 fmt::format("there are only {} points", number_text(points)),
                 "leave 'search' and 'trials' out to try them all");
  } else if (trials && points == 1) {
    recipe.warning("sweep-size", trials->place, "there is only one point", "");
  } else if (trials) {
    check_most(recipe, trials->place, trials->number);
  }
}

/// Returns whether the length of the run is swept, so that the recipe's own does not count.
bool sweeps_length(const RuleView& recipe) {
  const Node* over = recipe.find("sweep.over");
  const Node* list = recipe.find("sweep.list");
  const Node* keys = list && !list->items.empty() ? &list->items[0] : over;
  return !keys || std::any_of(keys->entries.begin(), keys->entries.end(), [](const Entry& entry) {
    return entry.key.starts_with("train") || entry.key.starts_with("evaluate") ||
           entry.key.starts_with("batch") || entry.key.starts_with("data");
  });
}

}  // namespace

void sweep_has_points(const RuleView& recipe) {
  const std::string search = recipe.text("sweep.search");
  if (!recipe.find("sweep") || search.empty()) return;
  check_source(recipe, search);
  check_trials(recipe, search, check_sizes(recipe, search));
  const Node* over = recipe.find("sweep.over");
  if (search == "sobol" && over && over->entries.size() > kMostSobolKeys) {
    recipe.error(
        "sweep-size", recipe.find("sweep.search")->place,
        fmt::format("search sobol takes {} keys, not {}", kMostSobolKeys, over->entries.size()),
        "search: random takes any number");
  }
}

void sweep_keys_suit_the_search(const RuleView& recipe) {
  const std::string search = recipe.text("sweep.search");
  if (recipe.meant("sweep.concurrent") && !search.empty() && search != "tpe") {
    recipe.error("needs-other-key", recipe.key_place("sweep.concurrent"),
                 fmt::format("'concurrent' needs 'search: tpe', here it is {}", search),
                 "knead sweep --jobs says how many trials run at once");
  }
  const Node* seeds = recipe.find("sweep.seeds");
  const Node* over = recipe.find("sweep.over");
  const Node* list = recipe.find("sweep.list");
  const Node* keys = list && !list->items.empty() ? &list->items[0] : over;
  const Entry* seed = keys ? keys->entry("seed") : nullptr;
  if (seeds && seeds->integer > 1 && seed) {
    recipe.error(
        "not-together", recipe.key_place("sweep.seeds"),
        fmt::format("'seeds' sets the seed, which is swept too (line {})", seed->place.line()),
        "keep one of them");
  }
}

void sweep_has_an_objective(const RuleView& recipe) {
  if (!recipe.find("sweep") || recipe.is_absent("data")) return;
  const Node* objective = recipe.find("sweep.objective");
  if (!recipe.is_absent("data.validation")) {
    if (objective && has_set(recipe, "validation"))
      check_validated(recipe, *objective, "sweep.objective");
    return;
  }
  const char* hint = "add it, as in {like: train, hold_out: 10%}";
  if (objective) {
    recipe.error("needs-validation", recipe.key_place("sweep.objective"),
                 "'objective' needs data.validation", hint);
  } else if (recipe.find("sweep.prune")) {
    recipe.error("needs-validation", recipe.key_place("sweep.prune"),
                 "'prune' needs data.validation", hint);
  } else if (recipe.text("sweep.search") == "tpe") {
    recipe.error("needs-validation", recipe.find("sweep.search")->place,
                 "search tpe needs data.validation", hint);
  } else {
    recipe.warning("needs-validation", recipe.key_place("sweep"),
                   "no trial is the best without data.validation", hint);
  }
}

void trials_are_pruned_in_time(const RuleView& recipe) {
  const Node* first = recipe.find("sweep.prune.first");
  if (!first || !recipe.find("data.validation") || sweeps_length(recipe)) return;
  const Place place = first->place ? first->place : recipe.key_place("sweep.prune");
  const auto in_run = compare_lengths(recipe, "sweep.prune.first", "train.until");
  if (in_run && in_run->part >= in_run->whole) {
    recipe.error("sweep-prune", place,
                 fmt::format("no trial is pruned: the first time is at {}, the run ends at {} ({})",
                             first->text, recipe.text("train.until"), recipe.where("train.until")),
                 "write an earlier 'first'");
    return;
  }
  const Node* at_start = recipe.find("evaluate.at_start");
  const auto evaluated = compare_lengths(recipe, "sweep.prune.first", "evaluate.every");
  if (!evaluated || evaluated->part >= evaluated->whole || !at_start || at_start->boolean) return;
  recipe.error(
      "sweep-prune", place,
      fmt::format("no trial has been evaluated at {}: evaluate.every is {} ({})", first->text,
                  recipe.text("evaluate.every"), recipe.where("evaluate.every")),
      "evaluate more often, or write a later 'first'");
}

}  // namespace knead::schema
