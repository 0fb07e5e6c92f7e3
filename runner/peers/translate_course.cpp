#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "runner/peers/translate.h"
#include "schema/document/scalar.h"
#include "schema/document/suggest.h"

namespace knead::peers {
namespace {

using schema::Unit;

/// Returns when something happens: "no", "steps", "epoch", another word, or an empty text without a
/// key.
std::string when(Theirs& theirs, Part part) {
  const Item* item = theirs.find(part);
  if (!item || item->is_empty()) return "";
  const std::optional<bool> truth = truth_of(*item);
  if (truth) return *truth ? "steps" : "no";
  const std::string word = schema::folded(text_of(*item));
  return word == "epochs" ? "epoch" : word == "none" ? "no" : word;
}

bool is_positive(Theirs& theirs, Part part) { return theirs.number(part).value_or(0) > 0; }

/// Returns the interval for a number of times per epoch: "1 epoch" for 1, "0.25 epochs" for 4.
std::string per_epoch(Theirs& theirs, Part part) {
  return quantity(1 / *theirs.number(part), Unit::epochs);
}

/// A metric and one of its names in other trainers.
struct Metric {
  std::string_view theirs;  // folded
  std::string_view ours;
  bool is_greater_better;
};

constexpr std::array<Metric, 14> kMetrics{{{"accuracy", "accuracy", true},
                                           {"acc", "accuracy", true},
                                           {"f1", "f1", true},
                                           {"precision", "precision", true},
                                           {"recall", "recall", true},
                                           {"auroc", "auroc", true},
                                           {"rocauc", "auroc", true},
                                           {"auc", "auroc", true},
                                           {"perplexity", "perplexity", false},
                                           {"mae", "mae", false},
                                           {"mse", "mse", false},
                                           {"rmse", "rmse", false},
                                           {"r2", "r2", true},
                                           {"loss", "loss", false}}};

/// Returns the metric for a name such as `eval_accuracy` or `accuracy`, or null if knead does not
/// have it.
const Metric* metric_of(const std::string& name) {
  std::string word = schema::folded(name);
  if (word.starts_with("eval")) word.erase(0, 4);
  const auto found = std::find_if(kMetrics.begin(), kMetrics.end(),
                                  [&](const Metric& metric) { return metric.theirs == word; });
  return found == kMetrics.end() ? nullptr : &*found;
}

void best(Translation& in) {
  Item* item = in.theirs.find(Part::best_metric);
  const Metric* metric = item ? metric_of(text_of(*item)) : nullptr;
  if (metric) {
    // The loss is part of every evaluation, so evaluate.metrics does not list it.
    if (metric->ours != "loss") in.draft.set("evaluate.metrics", fmt::format("[{}]", metric->ours));
    in.draft.set("evaluate.monitor", fmt::format("validation/{}", metric->ours)).of(item);
  } else if (item) {
    item->fate = Fate::without;
    item->reason =
        "knead has no such metric: evaluate.metrics takes one of your own (type: script), "
        "evaluate.monitor then names it; without, validation/loss decides";
  }
  Item* greater = in.theirs.find(Part::best_is_greater);
  if (!greater) return;
  const bool is_against = metric && truth_of(*greater) == !metric->is_greater_better;
  greater->fate = is_against ? Fate::without : Fate::no_need;
  greater->reason = is_against ? fmt::format("{} is better the other way", metric->ours)
                               : "which way is better follows from the metric";
}

void early_stopping(Translation& in) {
  Item* patience = in.theirs.find(Part::early_stopping);
  if (!patience || number_of(*patience).value_or(0) < 1) return;
  in.draft.set("early_stopping.patience", quantity(*number_of(*patience), Unit::evaluations))
      .of(patience);
  Item* delta = in.theirs.find(Part::early_stopping_delta);
  if (delta && number_of(*delta))
    in.draft.set("early_stopping.min_delta", number_as_yaml(*delta)).of(delta);
}

/// Writes evaluate.every from the keys that give it.
void evaluate_every(Translation& in) {
  const std::string word = when(in.theirs, Part::evaluate_when);
  Item* strategy = in.theirs.find(Part::evaluate_when);
  if (word == "epoch") {
    in.draft.set("evaluate.every", "1 epoch").of(strategy);
    in.theirs.set_idle(Part::evaluate_steps, "evaluations are once in an epoch");
  } else if (is_positive(in.theirs, Part::evaluate_steps)) {
    const std::string steps = steps_in_words(in.theirs, Part::evaluate_steps);
    if (steps.empty()) return;
    Setting& line = in.draft.set("evaluate.every", steps);
    if (!strategy || !strategy->is_habit) line.of(strategy);
    say_steps(line, in.theirs.find(Part::evaluate_steps));
  } else if (is_positive(in.theirs, Part::evaluations_per_epoch)) {
    Item* item = in.theirs.find(Part::evaluations_per_epoch);
    in.draft.set("evaluate.every", per_epoch(in.theirs, Part::evaluations_per_epoch)).of(item);
    // Without eval_steps, transformers evaluates every logging_steps.
  } else if (word == "steps") {
    const std::string steps = steps_in_words(in.theirs, Part::report_steps);
    if (!steps.empty())
      in.draft.set("evaluate.every", steps).of(strategy).noted("as often as is reported");
  }
}

/// Returns whether the held-out share is 0 and no other validation set is given.
bool has_no_set(Theirs& theirs) {
  const bool holds_none_out = theirs.number(Part::validation_share) == 0;
  return holds_none_out && !theirs.written(Part::validation_dataset) &&
         !theirs.written(Part::validation_file);
}

}  // namespace

std::string last_name(const std::string& dotted) {
  std::string name = dotted.substr(dotted.rfind('.') + 1);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return std::tolower(c); });
  return name;
}

std::string quantity(double value, Unit unit) { return schema::to_string({value, unit}); }

std::string share_of_run(Theirs& theirs, double share) {
  if (const double steps = theirs.number(Part::steps).value_or(0); steps > 0)
    // A recipe has no 0 steps, although a small share of a short run rounds down to it.
    return quantity(std::max(1.0, static_cast<double>(static_cast<long>(share * steps))),
                    Unit::steps);
  const double epochs = theirs.number(Part::epochs).value_or(0);
  return epochs > 0 ? quantity(share * epochs, Unit::epochs) : "";
}

std::string steps_in_words(Theirs& theirs, Part part) {
  const double steps = theirs.number(part).value_or(0);
  if (steps >= 1) return quantity(static_cast<double>(static_cast<long>(steps)), Unit::steps);
  return steps > 0 ? share_of_run(theirs, steps) : "";
}

Setting& say_steps(Setting& line, Item* item) {
  const double steps = item ? number_of(*item).value_or(1) : 1;
  return steps < 1 ? line.of(item).noted("of the run") : line.of(item);
}

bool evaluates(Theirs& theirs) {
  const bool says_never = theirs.says_nothing(Part::evaluate_steps) &&
                          !is_positive(theirs, Part::evaluations_per_epoch);
  const std::string word = when(theirs, Part::evaluate_when);
  if (word == "no" || has_no_set(theirs)) return false;
  if (word == "steps" || word == "epoch") return true;
  return is_positive(theirs, Part::evaluate_steps) ||
         is_positive(theirs, Part::evaluations_per_epoch) ||
         (theirs.written(Part::validation_dataset) && !says_never);
}

void translate_length(Translation& in) {
  Item* steps = in.theirs.find(Part::steps);
  Item* epochs = in.theirs.find(Part::epochs);
  Item* each = in.theirs.find(Part::steps_per_epoch);
  const double count = steps ? number_of(*steps).value_or(0) : 0;
  const double rounds = epochs ? number_of(*epochs).value_or(0) : 0;
  const double in_each = each ? number_of(*each).value_or(0) : 0;
  if (count > 0) {
    in.draft.set("train.until", quantity(count, Unit::steps)).of(steps);
    in.theirs.set_idle(Part::epochs, fmt::format("{} goes before it", steps->path));
  } else if (rounds > 0 && in_each > 0) {
    Setting& until = in.draft.set("train.until", quantity(rounds * in_each, Unit::steps));
    until.joint = " × ";
    until.of(epochs).of(each).noted("fewer there where the data has fewer");
    if (rounds > 1) until.noted("they begin it anew each epoch");
  } else if (rounds > 0) {
    in.draft.set("train.until", quantity(rounds, Unit::epochs)).of(epochs);
  } else {
    in.draft.leave_open("train.until", "how long, such as 3 epochs").of(epochs);
  }
}

void translate_evaluation(Translation& in) {
  const bool has_set = in.draft.has("data.validation");
  if (has_set) {
    evaluate_every(in);
    if (in.theirs.truth(Part::evaluate_at_start) == true)
      in.draft.set("evaluate.at_start", "true").of(in.theirs.find(Part::evaluate_at_start));
    best(in);
    early_stopping(in);
    Item* batch = in.theirs.find(Part::evaluation_batch);
    if (batch && number_of(*batch).value_or(0) >= 1)
      in.draft.set("evaluate.batch", fmt::format("{:.0f}", *number_of(*batch))).of(batch);
  }
  const std::string reason =
      has_set ? "evaluate.every says it" : "there is no set that evaluations could look at";
  for (const Part part : {Part::evaluate_when, Part::evaluate_steps, Part::evaluations_per_epoch,
                          Part::evaluate_at_start, Part::best_metric, Part::best_is_greater,
                          Part::early_stopping, Part::early_stopping_delta, Part::evaluation_batch})
    in.theirs.set_idle(part, reason);
}

}  // namespace knead::peers
