#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "schema/error.h"

namespace knead::launch {

/// How a rank ended.
struct Ending {
  bool by_signal = false;
  int number = 0;  // the signal, or the exit code
};

/// What is started: a program with its arguments.
struct Command {
  std::filesystem::path program;
  std::vector<std::string> arguments;
};

/// Starts one rank and watches it to its end, whatever that is. SIGINT, SIGTERM and SIGUSR1 are passed on to it; a
/// second SIGINT ends it at once. It never outlives this process. Output goes where ours goes.
/// Throws knead::Error where the program cannot be started.
Ending supervise(const Command& command);

/// The exit code of a run whose only rank ended so: its own where it exited, 6 where a signal ended it, 130 after a
/// second SIGINT.
Exit exit_of(const Ending& ending);

/// One sentence for a rank that did not exit by itself.
std::string describe(const Ending& ending);

}  // namespace knead::launch
