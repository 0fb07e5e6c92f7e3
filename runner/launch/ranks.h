#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "runner/launch/memory_file.h"
#include "runner/launch/rank_environment.h"
#include "runner/launch/start.h"
#include "runner/launch/verdict.h"

namespace knead::launch {

/// Returns the arguments of one of several ranks: "--rank=I --ranks=R …" in front of the word "--",
/// or at the end without one; those of a single rank as they are. Pure.
std::vector<std::string> arguments_of_rank(const std::vector<std::string>& arguments,
                                           const RankEnvironment& rank);

/// Owns the processes of a run, one for each rank and each in its own process group. Rank 0
/// inherits the standard streams. Of several ranks the others read /dev/null and write to a log in
/// memory, and all of them have an empty file to find each other, in place of other descriptors.
/// Sets the environment variable KNEAD_STEPS of this process for them.
///
/// Not thread-safe. The kernel kills the ranks when the thread that constructed this ends.
class Ranks {
 public:
  /// Starts `count` ranks. Throws knead::Error if one cannot be started; none is left then.
  Ranks(const Command& command, int count, const HeldSignals& signals);

  /// Kills the ranks that have not been collected; returns when they are gone, or after 5 s.
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int count() const { return static_cast<int>(ranks_.size()); }

  /// Returns how many ranks have not been collected.
  int running() const;

  /// Returns the ranks that have ended since the last call, with the last lines of their output,
  /// and kills what they have left in their process groups. Does not wait. `moment` and
  /// `was_killed` are left to the caller. Throws knead::Error with Exit::rank_lost if a rank has
  /// ended and the system does not tell how.
  std::vector<RankEnd> collect();

  /// Returns the ranks that have not been collected as if SIGKILL had ended them, and lets go of
  /// them: for processes that the kernel does not end.
  std::vector<RankEnd> abandon();

  /// Sends a signal to the process group of each rank that has not been collected.
  void send(int signal) const;

  /// Frees the memory of what the ranks have written to their logs, up to what collect() returns.
  void trim_logs() const;

 private:
  struct Rank {
    pid_t process;
    bool is_collected = false;
  };

  /// Kills the ranks that have not been collected, and waits a bounded time for their ends.
  void end_all();

  RankEnd end_of_rank(int rank, bool by_signal, int number) const;

  /// How many steps each rank has completed, which run::ReachedStep writes; then the name of the
  /// file that a rank reads, of files::Reading.
  MemoryFile steps_;
  std::vector<Rank> ranks_;
  std::vector<MemoryFile> logs_;  // of the ranks from 1
};

}  // namespace knead::launch
