#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace knead::engine {

/// Whether a run has been asked to stop: by SIGINT, SIGTERM or SIGUSR1, by its time limit, or by a
/// test that stops it after so many steps. Everything that takes long asks. A second SIGINT ends
/// the process at once.
class Stop {
 public:
  /// Listens to signals from here on. One at a time.
  Stop();

  /// Seconds from the construction.
  void limit_time(double seconds) { seconds_ = seconds; }

  bool is_asked() const;

  /// "SIGTERM", "the time limit". Where is_asked().
  std::string reason() const;

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::optional<double> seconds_;
};

}  // namespace knead::engine
