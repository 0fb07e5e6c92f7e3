#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

#include "runner/sweep/sweep.h"
#include "runner/track/terminal.h"

namespace knead::front {

/// Shows on standard error how a sweep goes: a line for each trial that ends, and on a terminal
/// below these lines what trains now, what is best and how long the rest takes, drawn anew several
/// times a second.
class SweepProgress {
 public:
  /// Borrows the sweep. `jobs` is how many trials train at once.
  SweepProgress(const sweep::Sweep& sweep, int jobs);

  /// Prints the line of a trial.
  void ended(const sweep::Trial& trial);
  /// Draws the lines below, on a terminal.
  void look();
  /// Removes the lines below.
  void clear();

 private:
  /// Keeps a trial as the best one if it is.
  void note(const sweep::Trial& trial);
  std::string lines_below() const;
  std::string time_left(const sweep::Tally& tally) const;

  const sweep::Sweep& sweep_;
  int jobs_;
  track::Terminal terminal_;
  std::size_t drawn_ = 0;             // lines below
  std::size_t ended_ = 0;             // trials that ended here
  std::optional<sweep::Trial> best_;  // of those that have finished, here or before
  std::chrono::steady_clock::time_point begin_;
  std::chrono::steady_clock::time_point last_look_{};
};

}  // namespace knead::front
