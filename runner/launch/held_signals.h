#pragma once

#include <signal.h>

namespace knead::launch {

/// Blocks, during its lifetime, the signals that stop a run (SIGINT, SIGTERM, SIGUSR1, SIGHUP),
/// those of a terminal (SIGTSTP, SIGCONT) and SIGCHLD, so that supervise() can wait for them and
/// none is lost before the ranks exist. SIGHUP stays as it is where nohup ignores it. One instance
/// at a time, on the thread that supervises.
///
/// Construct it before the work that a stop signal must not interrupt, such as reading the recipe:
/// a signal that arrives then waits and ends the ranks soon after their start. The destructor
/// restores the mask, and a signal that is still pending then takes its usual effect.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  /// Returns the blocked signals.
  const sigset_t& held() const { return held_; }

  /// Returns the signal mask of the thread before the construction, which a rank gets back.
  const sigset_t& before() const { return before_; }

  /// Returns whether a signal that stops a run has arrived and nobody has taken it yet.
  bool is_stop_pending() const;

 private:
  sigset_t held_;
  sigset_t before_;
};

}  // namespace knead::launch
