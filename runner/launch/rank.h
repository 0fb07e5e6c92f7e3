#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <signal.h>

#include "schema/document/error.h"

namespace knead::launch {

/// What is started: a program with its arguments.
struct Command {
  std::filesystem::path program;
  std::vector<std::string> arguments;
};

/// How a rank ended.
struct Ending {
  bool by_signal = false;
  int number = 0;            // the signal, or the exit code
  bool was_asked = false;    // a stop signal had been passed on to it
  bool interrupted = false;  // a second SIGINT ended it at once
};

/// While it lives, the signals that stop a run (SIGINT, SIGTERM, SIGUSR1, SIGHUP) and those of a
/// terminal (SIGTSTP, SIGCONT) wait until supervise() takes them: none is lost before a rank is
/// there to receive it. One at a time, on the thread that supervises.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  const sigset_t& held() const { return held_; }
  const sigset_t& before() const { return before_; }

 private:
  sigset_t held_;
  sigset_t before_;
};

/// Starts one rank in a process group of its own and watches it to its end. Stop signals are passed
/// on (SIGHUP as SIGTERM); a second SIGINT ends it at once; it stops and goes on with this process.
/// It never outlives this process. Output goes where ours goes.
/// Throws knead::Error where the program cannot be started.
Ending supervise(const Command& command, const HeldSignals& signals);

/// What the end of the only rank means for a run.
struct Verdict {
  Exit code = Exit::done;
  std::string message;  // empty where the rank has spoken for itself
  std::string remedy;
};
Verdict judge(const Ending& ending);

}  // namespace knead::launch
