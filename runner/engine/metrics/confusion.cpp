#include "runner/engine/metrics/confusion.h"

#include <limits>

#include <fmt/format.h>

#include "runner/engine/metrics/compared.h"
#include "schema/document/error.h"

namespace knead::engine::metrics {
namespace {

/// Counts how often a class was predicted rightly, predicted wrongly, and missed.
struct Counts {
  double hits = 0, false_alarms = 0, misses = 0;
};

enum class Average { binary, macro, micro, weighted };

/// Returns part ÷ whole; 0 if the whole is 0, as scikit-learn does.
double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

double f1(const Counts& of) {
  return share(2 * of.hits, 2 * of.hits + of.false_alarms + of.misses);
}
double precision(const Counts& of) { return share(of.hits, of.hits + of.false_alarms); }
double recall(const Counts& of) { return share(of.hits, of.hits + of.misses); }

/// Converts the option `average`, for which each metric has an enumeration of its own.
template <class Options>
std::optional<Average> average_of(const Options& options) {
  using Written = typename Options::Average;
  if (!options.average) return std::nullopt;
  switch (*options.average) {
    case Written::binary: return Average::binary;
    case Written::macro: return Average::macro;
    case Written::micro: return Average::micro;
    case Written::weighted: return Average::weighted;
  }
  return std::nullopt;
}

/// Computes a score from counts of each class or label. State: how many labels there were (0 for
/// classes), then hits, false alarms and misses of each class or label.
class Confusion final : public Compared {
 public:
  using Score = double (*)(const Counts&);

  template <class Options>
  Confusion(const Options& options, const Surroundings& around, Score score)
      : Compared(sides_of(options, around)),
        average_(average_of(options)),
        threshold_(options.threshold),
        rules_(rules_of(options, around)),
        score_(score) {}

  double value(const State& total) const override;

 protected:
  State of(const at::Tensor& output, const at::Tensor& target) override;

 private:
  State of_labels(const at::Tensor& output, const at::Tensor& target) const;
  State of_classes(const at::Tensor& output, const at::Tensor& target) const;
  /// Returns the score over all classes, averaged as the recipe says; macro by default.
  double mean(const std::vector<Counts>& counts, bool are_labels) const;
  /// Returns whether the score is that of the positive class alone.
  bool is_of_one(const std::vector<Counts>& counts, bool are_labels) const;

  std::optional<Average> average_;
  double threshold_;
  ClassRules rules_;
  Score score_;
};

State Confusion::of(const at::Tensor& output, const at::Tensor& target) {
  State state = are_labels(output, target) ? of_labels(output, target) : of_classes(output, target);
  const std::size_t kinds = (state.size() - 1) / 3;
  if (average_ == Average::binary && kinds > (are_labels(output, target) ? 1 : 2))
    throw Error(
        fmt::format("{} with average: binary is of two classes, the output has {}", name(), kinds),
        "write average: macro, micro or weighted");
  return state;
}

State Confusion::of_labels(const at::Tensor& output, const at::Tensor& target) const {
  const LabelItems items = label_items(output, target, name(), field());
  const at::Tensor given = items.scores.gt(threshold_);
  const at::Tensor counts[] = {given.logical_and(items.right).sum(0),
                               given.logical_and(items.right.logical_not()).sum(0),
                               items.right.logical_and(given.logical_not()).sum(0)};
  const std::int64_t labels = given.size(1);
  State state{static_cast<double>(given.numel())};
  for (std::int64_t label = 0; label < labels; ++label) {
    for (const at::Tensor& count : counts) state.push_back(count[label].item<double>());
  }
  return state;
}

State Confusion::of_classes(const at::Tensor& output, const at::Tensor& target) const {
  const ClassItems items = class_items(output, target, rules_, name(), field());
  const at::Tensor given = items.scores.argmax(1).cpu().contiguous();
  const at::Tensor right = items.classes.cpu().contiguous();
  const auto* guess = given.const_data_ptr<std::int64_t>();
  const auto* truth = right.const_data_ptr<std::int64_t>();
  State state(1 + 3 * static_cast<std::size_t>(items.scores.size(1)));
  for (std::int64_t i = 0; i < right.numel(); ++i) {
    if (guess[i] == truth[i]) {
      ++state[1 + 3 * truth[i]];
    } else {
      ++state[1 + 3 * guess[i] + 1];
      ++state[1 + 3 * truth[i] + 2];
    }
  }
  return state;
}

double Confusion::value(const State& total) const {
  double seen = 0;
  std::vector<Counts> counts;
  for (std::size_t i = 1; i < total.size(); i += 3) {
    counts.push_back({total[i], total[i + 1], total[i + 2]});
    seen += total[i] + total[i + 1] + total[i + 2];
  }
  const bool are_labels = !total.empty() && total[0] > 0;
  if (seen == 0 && !are_labels) return std::numeric_limits<double>::quiet_NaN();
  if (is_of_one(counts, are_labels)) return score_(counts.back());
  // One label makes two classes: the items that have it and those that do not.
  if (are_labels && counts.size() == 1) {
    const Counts& has = counts.front();
    counts.push_back(
        {total[0] - has.hits - has.false_alarms - has.misses, has.misses, has.false_alarms});
    return mean(counts, /*are_labels=*/false);
  }
  return mean(counts, are_labels);
}

bool Confusion::is_of_one(const std::vector<Counts>& counts, bool are_labels) const {
  const bool is_binary = counts.size() == (are_labels ? 1 : 2);
  return average_ == Average::binary || (!average_ && is_binary);
}

double Confusion::mean(const std::vector<Counts>& counts, bool are_labels) const {
  Counts all;
  double sum = 0, weights = 0;
  for (const Counts& each : counts) {
    all.hits += each.hits;
    all.false_alarms += each.false_alarms;
    all.misses += each.misses;
    const bool was_seen = are_labels || each.hits + each.false_alarms + each.misses > 0;
    const double weight = average_ == Average::weighted ? each.hits + each.misses : was_seen;
    sum += weight * score_(each);
    weights += weight;
  }
  return average_ == Average::micro ? score_(all) : share(sum, weights);
}

}  // namespace

std::unique_ptr<Metric> make_f1(const recipe::F1& options, const Surroundings& around) {
  return std::make_unique<Confusion>(options, around, f1);
}

std::unique_ptr<Metric> make_precision(const recipe::PrecisionMetric& options,
                                       const Surroundings& around) {
  return std::make_unique<Confusion>(options, around, precision);
}

std::unique_ptr<Metric> make_recall(const recipe::RecallMetric& options,
                                    const Surroundings& around) {
  return std::make_unique<Confusion>(options, around, recall);
}

}  // namespace knead::engine::metrics
