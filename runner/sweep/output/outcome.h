#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "runner/plan/decide.h"
#include "runner/plan/expectations.h"
#include "runner/sweep/search/space.h"
#include "runner/sweep/trials/trial.h"
#include "schema/document/error.h"

namespace knead::sweep {

/// A key of `sweep.over` with the values that it takes.
struct SweptKey {
  std::string key;
  Dimension dimension;
  /// The values of Choices as YAML on one line, as in TrialName::values; empty for a Range.
  std::vector<std::string> choices{};
};

/// All that is known of a sweep: what the files and reports of this room are functions of.
struct Outcome {
  std::string name;
  plan::Objective objective;
  std::vector<SweptKey> keys{};
  /// How many trials belong to a point.
  int seeds = 1;
  /// Holds the expectations that judge each point; the bounds of baselines are filled in.
  std::vector<recipe::Expectation> expect{};
  /// In any order: this room sorts them by point and repeat.
  std::vector<Trial> trials{};
};

/// How the trials of a point went.
struct PointResult {
  std::size_t point = 0;
  /// By repeat, at least one. They point into the outcome, which must outlive them.
  std::vector<const Trial*> trials{};
  /// The state of the trial that is furthest from its end, a failed one first: finished only if all
  /// have finished.
  TrialState state = TrialState::finished;
  /// The mean of the best objectives of the trials that have one; std::nullopt if none has.
  std::optional<double> mean{};
  /// The sample standard deviation of these objectives; std::nullopt if there are fewer than two.
  std::optional<double> spread{};
  /// Holds the judgement of each expectation on the mean over all repeats, in the recipe's order;
  /// empty unless all have finished.
  std::vector<plan::Judgement> expectations{};

  /// Returns whether all repeats have finished.
  bool is_whole(const Outcome& outcome) const;
  /// Returns whether all repeats have finished, each with an objective that is finite.
  bool is_comparable(const Outcome& outcome) const;
};

/// Returns the points that have a trial, by number.
std::vector<PointResult> points_of(const Outcome& outcome);

/// Returns the exit code of a trial's last start; of a finished trial that its point gives it:
/// expectation_failed if the point does not meet an expectation, else done.
std::optional<int> code_of(const Trial& trial, const PointResult& point);

/// Returns the sentences of the expectations that a point does not meet.
std::vector<std::string> unmet_sentences(const PointResult& point);

/// Returns the exit code of a whole sweep: training_failed if a trial has failed, else
/// expectation_failed if a point does not meet an expectation, else stopped if a trial can go on,
/// as one that its own time limit has stopped, else done.
Exit exit_of(const Outcome& outcome);

/// Returns the index of the point with the best mean among the comparable ones, of equal ones the
/// earliest; std::nullopt if there is none.
std::optional<std::size_t> best_point(const std::vector<PointResult>& points,
                                      const Outcome& outcome);

/// Returns the trial of a point whose recipe stands for it: the one with the best objective, of
/// equal ones the earliest. The point must be comparable.
const Trial& best_trial(const PointResult& point, const Outcome& outcome);

/// Returns the indices of the points from the best one on: the comparable ones by their mean, then
/// the others in their order.
std::vector<std::size_t> ranked(const std::vector<PointResult>& points, const Outcome& outcome);

}  // namespace knead::sweep
