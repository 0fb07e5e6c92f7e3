#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace knead::sweep {

/// Decides who goes on at a rung, as a function of losses alone, where lower is better.
struct PruneRule {
  /// Returns whether a point with a loss at a rung goes on, next to the losses there of earlier
  /// points, in their order. A loss that is not a number is worse than all.
  std::function<bool(std::span<const double> earlier, double loss)> goes_on;
  /// Returns the indices of the points that go on once all points of the sweep have reached the
  /// rung or ended; null if the rule never takes a decision back.
  std::function<std::vector<std::size_t>(std::span<const double> losses)> promotes;
  /// The first loss of `goes_on` is the best one of the point up to the rung, not that at it.
  bool judges_best = false;
};

/// The next piece of work: train a trial until it reaches a rung, or to its end.
struct Task {
  std::size_t point = 0;
  int repeat = 0;
  /// Index of the rung to stop at; std::nullopt without pruning.
  std::optional<std::size_t> rung;

  bool operator==(const Task&) const = default;
};

/// Decides which trial of a sweep trains next, and who is pruned. The decisions are functions of
/// the losses at rungs and of the order of the points, not of the times at which trials end: a
/// sweep on any number of processes, killed and begun again at any moment, prunes the same trials.
///
/// A point goes on at a rung if the rule says so next to the points before it, which must have
/// reached the rung or ended; until then it waits. When no point is left to begin, each rung is
/// looked at as a whole, from the first on, and what the rule promotes then goes on. The repeats of
/// a point go on together, by their mean loss. Does no I/O.
class Agenda {
 public:
  /// The loss of a failed trial, which loses against every other.
  static constexpr double kWorst = std::numeric_limits<double>::infinity();

  /// `repeats` is the number of trials for each point. Without a rule trials train to their end.
  Agenda(int repeats, std::optional<PruneRule> rule);

  /// Adds a point behind the others, with trials that have not begun.
  void add_point();
  int repeats() const { return repeats_; }

  /// Notes the loss of a trial at its next rung, and its best one so far.
  void reach(std::size_t point, int repeat, double loss, double best);
  /// Notes that a trial has trained to its end. NaN counts as kWorst.
  void finish(std::size_t point, int repeat, double loss);
  /// Notes that a trial has failed.
  void fail(std::size_t point, int repeat);

  /// Excludes a trial from the tasks, or admits it again: it is being trained, belongs to another
  /// shard, or is to be left alone after a stop.
  void hold(std::size_t point, int repeat, bool is_held);

  /// Returns the next task, in the order of the points, and holds its trial; std::nullopt if there
  /// is none now.
  std::optional<Task> next();

  /// Returns whether a trial is pruned as far as is known now: it waits at a rung, and the decision
  /// was taken against it.
  bool is_pruned(std::size_t point, int repeat) const;

  /// Returns whether each trial of a point has ended or is pruned.
  bool is_settled(std::size_t point) const;
  /// Returns whether all points before `end` are settled.
  bool are_settled(std::size_t end);

  /// Returns how many rungs a trial has reached.
  std::size_t rungs(std::size_t point, int repeat) const;

 private:
  struct Standing {
    std::vector<double> losses;  // at the rungs that were reached
    std::vector<double> bests;   // up to them
    std::optional<double> end;   // loss at the end
    bool is_held = false;
  };
  struct PointStanding {
    std::vector<Standing> repeats;
    std::vector<char> goes_on;  // decisions at the rungs in the first pass, as far as taken
    std::size_t promoted = 0;   // how many rungs the second pass lets it leave
  };

  /// Returns the mean loss of a point at a rung, or that of an end before it; std::nullopt if a
  /// repeat has not come that far.
  static std::optional<double> loss_at(const PointStanding& point, std::size_t rung,
                                       bool takes_best = false);
  static bool has_ended(const PointStanding& point);
  /// Returns whether the first pass lets a point reach a rung; std::nullopt if that is not known.
  std::optional<bool> first_pass_reaches(std::size_t point, std::size_t rung);
  /// Takes the decision of the first pass about a point at a rung; std::nullopt if points before it
  /// have not come that far.
  std::optional<bool> decide(std::size_t point, std::size_t rung);
  /// Returns whether a point may leave a rung; std::nullopt if that is not known.
  std::optional<bool> may_leave(std::size_t point, std::size_t rung);
  std::optional<Task> task_of(std::size_t point);
  /// Promotes points at the lowest rung where the rule lets some go on; returns whether it did.
  bool promote();

  int repeats_;
  std::optional<PruneRule> rule_;
  std::vector<PointStanding> points_;
  std::size_t first_open_ = 0;  // all points before it have ended
};

}  // namespace knead::sweep
