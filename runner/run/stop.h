#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace knead::engine {

/// Whether a run has been asked to stop: by SIGINT, SIGTERM or SIGUSR1, by its time limit, or by a
/// test that stops it after so many steps. Everything that takes long asks. A second SIGINT ends
/// the process at once; so does a second signal of any kind while nobody has asked since the first,
/// because a step may never end.
class Stop {
 public:
  /// Listens to signals from here on. One at a time.
  Stop();

  /// Whether a signal ends the process at once, with exit code 75: as long as there is nothing to
  /// save, because data are still read, or the first step is not done.
  static void at_once(bool is);

  /// Seconds from the construction.
  void limit_time(double seconds) { seconds_ = seconds; }

  /// For tests: also once so many steps are done.
  void limit_steps(std::uint64_t steps) { steps_ = steps; }

  bool is_asked() const;
  bool is_asked_at(std::uint64_t step) const { return is_asked() || step >= steps_; }

  /// "SIGTERM", "the time limit", "--stop-after". Where one of the above.
  std::string reason() const;

 private:
  bool is_late() const;

  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::optional<double> seconds_;
  std::uint64_t steps_ = std::numeric_limits<std::uint64_t>::max();
};

}  // namespace knead::engine
