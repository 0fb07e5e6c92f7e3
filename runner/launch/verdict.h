#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "schema/document/error.h"

namespace knead::launch {

/// Describes how a rank ended, as waitid() reports it.
struct RankEnd {
  int rank = 0;
  bool by_signal = false;
  int number = 0;                         // the signal, or the exit code
  int moment = 0;                         // orders the ends: equal for those collected together
  std::uint64_t step = 0;                 // how many steps it had completed, as far as it said so
  std::string reading{};                  // the file that a rank was reading; empty for none
  bool was_killed = false;                // by the launcher: the rank did not end by itself
  std::vector<std::string> last_lines{};  // of its output, safe to print; none of rank 0
};

/// Describes how all ranks of a run ended, and what was sent to them before.
struct Ending {
  std::vector<RankEnd> ends;  // one for each rank, in the order in which they were collected
  std::set<int> passed_on;    // the stop signals that were sent to the ranks; SIGHUP as SIGTERM
  bool interrupted = false;   // a second SIGINT killed the ranks
};

/// Holds the exit code of a run and what to tell the user about its end. `remedy` may be empty.
struct Verdict {
  Exit code = Exit::done;
  std::string message;  // empty if rank 0 itself has printed one
  std::string remedy;
  std::vector<std::string> lines;  // of the output of the rank that failed, with its number
};

/// Returns whether a rank failed: by a signal, or with an exit code other than those of a finished
/// (0, 4) or stopped (75) run.
bool is_failure(const RankEnd& end);

/// Translates the ends of all ranks into the outcome of the run. Needs at least the end of rank 0.
/// Pure.
///
/// Without a failure the exit code is that of rank 0. Otherwise it follows from the first rank that
/// failed by itself. A rank that ends with Exit::rank_lost counts only if no other has failed:
/// another one must have gone before it, even where the system reports that later. Of ranks whose
/// ends were collected at the same moment, death by a signal comes before an undocumented exit code
/// and that before a documented one. Rank 0 stands for all that end with its documented code,
/// because its message is on standard error already.
///
/// A documented exit code is passed on. Death by a signal is Exit::interrupted after a second
/// SIGINT, Exit::stopped if that signal was passed on to the ranks, Exit::not_usable if the rank
/// crashed while it read a file, otherwise Exit::rank_lost.
Verdict judge(const Ending& ending);

}  // namespace knead::launch
