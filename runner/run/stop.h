#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace knead::run {

/// Tells whether a run is requested to stop: by SIGINT, SIGTERM or SIGUSR1, by its time limit, or
/// after a number of steps. Long work polls it. A second SIGINT ends the process at once.
/// So does a second signal of any kind if is_asked() was not called since the first, because a step
/// may never end.
class Stop {
 public:
  /// Installs the signal handlers, which stay until the process ends, and forgets earlier signals.
  /// One instance at a time, because the handlers are global.
  Stop();

  /// Sets whether there is nothing to save yet: while data are read, and before the first step is
  /// done. The first signal then ends the process at once, with exit code 75. Initially there is
  /// something to save. Holds for all instances.
  static void set_nothing_to_save(bool nothing);

  /// Requests a stop `seconds` after the construction. Applies to this process: a start after a
  /// resume has the whole time again.
  void limit_time(double seconds) { seconds_ = seconds; }

  /// Makes is_asked_at() true from step `steps` on.
  void limit_steps(std::uint64_t steps) { steps_ = steps; }

  /// Returns whether a signal has arrived or the time limit has passed. Cheap enough for every
  /// batch. May be called on any thread. A call tells the handlers that the training loop is alive.
  bool is_asked() const;

  /// Returns whether the run stops after `step` steps: is_asked(), or the limit of steps is
  /// reached.
  bool is_asked_at(std::uint64_t step) const { return is_asked() || step >= steps_; }

  /// Returns the reason of a requested stop for a message: "SIGTERM", "the time limit" or
  /// "--stop-after". A signal goes before the limits. Call it only when a stop is requested.
  std::string reason() const;

 private:
  bool is_late() const;

  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::optional<double> seconds_;
  std::uint64_t steps_ = std::numeric_limits<std::uint64_t>::max();
};

}  // namespace knead::run
