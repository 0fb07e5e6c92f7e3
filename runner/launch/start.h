#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

#include "runner/launch/held_signals.h"

namespace knead::launch {

/// Names a program and its arguments. The program is started by its path; PATH is not searched.
struct Command {
  std::filesystem::path program;
  std::vector<std::string> arguments;  // without the program's name
};

/// Names the descriptors that a rank gets besides the standard streams of this process; -1: none.
struct RankFiles {
  /// Takes standard output and error of the rank, whose standard input is then /dev/null.
  int log = -1;
  /// Stays open in the rank, under its number. All others above 2 are then closed, but `steps`.
  int rendezvous = -1;
  /// Stays open in the rank, under its number.
  int steps = -1;
};

/// Starts a rank in its own process group and returns its process id. The rank gets back the signal
/// mask of before, and the kernel kills it when the thread that called this ends. Throws
/// knead::Error if the program cannot be started, with the reason that exec gave; no process is
/// left then.
pid_t start_rank(const Command& command, const RankFiles& files, const HeldSignals& signals);

/// Replaces this process by a program, with the signal mask of before: for a rank that another
/// launcher has started, and watches. Throws knead::Error if the program cannot be started.
[[noreturn]] void become_rank(const Command& command, const HeldSignals& signals);

}  // namespace knead::launch
