#include "runner/sweep/output/outcome.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace knead::sweep {
namespace {

/// From the state that says most about a point that has not finished to the one that says least.
constexpr std::array kByWeight{TrialState::failed,  TrialState::running, TrialState::stopped,
                               TrialState::waiting, TrialState::pruned,  TrialState::finished};

TrialState state_of(const std::vector<const Trial*>& trials) {
  const auto has = [&](TrialState state) {
    return std::any_of(trials.begin(), trials.end(),
                       [&](const Trial* trial) { return trial->state == state; });
  };
  return *std::find_if(kByWeight.begin(), kByWeight.end(), has);
}

/// Fills in what follows from the trials of a point.
void judge_trials(PointResult& point, const Outcome& outcome) {
  point.state = state_of(point.trials);
  if (point.is_whole(outcome)) {
    std::vector<plan::Measurements> runs;
    for (const Trial* trial : point.trials) runs.push_back(trial->measured);
    point.expectations = plan::judge(outcome.expect, runs);
  }
  std::vector<double> values;
  for (const Trial* trial : point.trials) {
    if (trial->best) values.push_back(trial->best->value);
  }
  if (values.empty()) return;
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  point.mean = mean;
  if (values.size() < 2) return;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  point.spread = std::sqrt(squares / (count - 1));
}

bool is_better(double value, double other, const Outcome& outcome) {
  return outcome.objective.goal == plan::Goal::low ? value < other : value > other;
}

}  // namespace

bool PointResult::is_whole(const Outcome& outcome) const {
  return state == TrialState::finished && trials.size() == static_cast<std::size_t>(outcome.seeds);
}

bool PointResult::is_comparable(const Outcome& outcome) const {
  return is_whole(outcome) && std::all_of(trials.begin(), trials.end(), [](const Trial* trial) {
           return trial->best.has_value();
         });
}

std::vector<PointResult> points_of(const Outcome& outcome) {
  std::vector<const Trial*> trials;
  for (const Trial& trial : outcome.trials) trials.push_back(&trial);
  std::stable_sort(trials.begin(), trials.end(), [](const Trial* a, const Trial* b) {
    return std::pair(a->name.point, a->name.repeat) < std::pair(b->name.point, b->name.repeat);
  });
  std::vector<PointResult> points;
  for (const Trial* trial : trials) {
    if (points.empty() || points.back().point != trial->name.point)
      points.push_back({.point = trial->name.point});
    points.back().trials.push_back(trial);
  }
  for (PointResult& point : points) judge_trials(point, outcome);
  return points;
}

std::optional<int> code_of(const Trial& trial, const PointResult& point) {
  if (trial.state != TrialState::finished) return trial.code;
  return static_cast<int>(unmet_sentences(point).empty() ? Exit::done : Exit::expectation_failed);
}

std::vector<std::string> unmet_sentences(const PointResult& point) {
  std::vector<std::string> sentences;
  for (const plan::Judgement& each : point.expectations) {
    if (!each.met) sentences.push_back(each.sentence);
  }
  return sentences;
}

Exit exit_of(const Outcome& outcome) {
  const auto has = [&](TrialState state) {
    return std::any_of(outcome.trials.begin(), outcome.trials.end(),
                       [state](const Trial& trial) { return trial.state == state; });
  };
  if (has(TrialState::failed)) return Exit::training_failed;
  const auto points = points_of(outcome);
  const bool all_met = std::all_of(points.begin(), points.end(), [](const PointResult& point) {
    return unmet_sentences(point).empty();
  });
  if (!all_met) return Exit::expectation_failed;
  return has(TrialState::stopped) ? Exit::stopped : Exit::done;
}

std::optional<std::size_t> best_point(const std::vector<PointResult>& points,
                                      const Outcome& outcome) {
  std::optional<std::size_t> best;
  for (std::size_t index = 0; index < points.size(); ++index) {
    if (!points[index].is_comparable(outcome)) continue;
    if (!best || is_better(*points[index].mean, *points[*best].mean, outcome)) best = index;
  }
  return best;
}

const Trial& best_trial(const PointResult& point, const Outcome& outcome) {
  return **std::min_element(point.trials.begin(), point.trials.end(),
                            [&](const Trial* a, const Trial* b) {
                              return is_better(a->best->value, b->best->value, outcome);
                            });
}

std::vector<std::size_t> ranked(const std::vector<PointResult>& points, const Outcome& outcome) {
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), 0);
  const auto others = std::stable_partition(order.begin(), order.end(), [&](std::size_t index) {
    return points[index].is_comparable(outcome);
  });
  std::stable_sort(order.begin(), others, [&](std::size_t a, std::size_t b) {
    return is_better(*points[a].mean, *points[b].mean, outcome);
  });
  return order;
}

}  // namespace knead::sweep
