#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runner/launch/held_signals.h"
#include "runner/launch/start.h"
#include "runner/launch/verdict.h"

namespace knead::launch {

/// Says how many ranks of a command to start, and what to do when one is lost.
struct Team {
  int ranks = 1;
  /// Limits how often all ranks are started again after one was lost.
  int restarts = 0;
  /// Returns the arguments of the next start, before each restart; empty: those of the first.
  std::function<std::vector<std::string>()> arguments_again{};
};

/// Tells the user about a lost rank, before all ranks are started again.
using Notice = std::function<void(const Verdict&)>;

/// Starts the ranks of a command and waits for the ends of all. Passes stop signals on to each
/// (SIGHUP as SIGTERM); kills all at a second SIGINT; suspends and continues all with this process.
///
/// When a rank fails, the others get 3 s to end by themselves and are then killed. When rank 0 has
/// ended well, the others get 10 s. There is no other time limit: ranks that ignore a stop signal
/// are waited for, and so is rank 0 after the others ended well. Processes that ranks have left in
/// their process groups are killed. A killed rank is waited for at most 5 s.
///
/// A lost rank (death by a signal that was not passed on, or Exit::rank_lost) ends the attempt: all
/// ranks are started again, at most `team.restarts` times and not once a stop signal has arrived.
/// `notice` is called before. Returns the ends of the last attempt.
///
/// Sets SIGCHLD to its default action, for this process and for the ranks. Throws knead::Error if
/// the program cannot be started, with the reason that exec gave, and with Exit::rank_lost if a
/// rank has ended and the system does not tell how. No rank is left that the kernel can end.
Ending supervise(Command command, const Team& team, const HeldSignals& signals,
                 const Notice& notice);

}  // namespace knead::launch
