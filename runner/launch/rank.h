#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <signal.h>

#include "schema/document/error.h"

namespace knead::launch {

/// Names a program and its arguments. The program is started by its path; PATH is not searched.
struct Command {
  std::filesystem::path program;
  std::vector<std::string> arguments;  // without the program's name
};

/// Describes how a rank ended, as waitpid() reports it, and what was sent to it before.
struct Ending {
  bool by_signal = false;
  int number = 0;            // the signal, or the exit code
  std::set<int> passed_on;   // the stop signals that were sent to the rank; SIGHUP as SIGTERM
  bool interrupted = false;  // a second SIGINT killed the rank
};

/// Blocks, during its lifetime, the signals that stop a run (SIGINT, SIGTERM, SIGUSR1, SIGHUP),
/// those of a terminal (SIGTSTP, SIGCONT) and SIGCHLD, so that supervise() can wait for them and
/// none is lost before the rank exists. SIGHUP stays as it is where nohup ignores it. One instance
/// at a time, on the thread that supervises.
///
/// Construct it before the work that a stop signal must not interrupt, such as reading the recipe:
/// a signal that arrives then waits and ends the rank soon after its start. The destructor restores
/// the mask, and a signal that is still pending then takes its usual effect.
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

 private:
  sigset_t held_;
  sigset_t before_;
};

/// Starts one rank in its own process group and waits for its end. Passes stop signals on (SIGHUP
/// as SIGTERM); kills the rank at a second SIGINT; suspends and continues the rank with this
/// process. The rank inherits the standard streams and the environment, and the kernel kills it
/// when the thread that called this ends.
///
/// There is no time limit: a rank that ignores a stop signal is waited for. Sets SIGCHLD to its
/// default action, for this process and for the rank. Throws knead::Error if the program cannot be
/// started, with the reason that exec gave; no process is left then. Throws knead::Error with
/// Exit::rank_lost if the rank has ended and the system does not tell how.
Ending supervise(const Command& command, const HeldSignals& signals);

/// Holds the exit code of a run and what to tell the user about its end. `remedy` may be empty.
struct Verdict {
  Exit code = Exit::done;
  std::string message;  // empty if the rank itself has printed one
  std::string remedy;
};

/// Translates the end of the only rank into the outcome of the run. A documented exit code is
/// passed on without a message. Death by a signal is Exit::interrupted after a second SIGINT,
/// Exit::stopped if that signal was passed on to the rank, otherwise Exit::rank_lost. Pure.
Verdict judge(const Ending& ending);

}  // namespace knead::launch
