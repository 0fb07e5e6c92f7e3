#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "runner/checkpoint/store.h"

namespace knead::checkpoint {

/// A checkpoint that is durable and verified, and what was deleted after it.
struct Saved {
  Manifest manifest;
  double seconds = 0;
  Rotation rotation;
};

/// A save that failed; the earlier checkpoints are untouched.
struct NotSaved {
  std::uint64_t step = 0;
  std::string message;  // one sentence
  std::string remedy;
};

using Outcome = std::variant<Saved, NotSaved>;

/// Saves while training goes on, in a thread of its own, one at a time; or, not in the background,
/// at once. The functions are the training loop's, to be called from one thread; the store is the
/// writer's from now on.
class Writer {
 public:
  Writer(Store& store, bool in_background);
  /// Waits for the save that is being made.
  ~Writer();

  /// Saves, then rotates, and returns without waiting. False if an earlier one is still being
  /// saved: then this one is skipped.
  bool offer(Snapshot snapshot, Kept kept);
  /// Whether offer() would be refused: asked before a snapshot is made.
  bool busy() const;
  /// Waits until an earlier one is saved, saves this one, and returns when it is done: for the last
  /// one, the best, and the one before a stop. False if it failed.
  bool save_now(Snapshot snapshot, Kept kept);

  /// What happened since the last call, in order. Rethrows what is no failure of the disk.
  std::vector<Outcome> take();

  /// Throws knead::Error (exit 5) once three saves in a row have failed. Of what take() has given.
  void check() const;

 private:
  struct Job {
    Snapshot snapshot;
    Kept kept;
  };

  void work();
  Outcome run(const Job& job);
  void put(Job job);
  void wait();

  Store& store_;
  const bool in_background_;
  mutable std::mutex mutex_;  // of all that follows, but the loop's own
  std::condition_variable changed_;
  std::optional<Job> job_;  // being saved, or about to be
  bool ending_ = false;
  std::vector<Outcome> outcomes_;
  std::exception_ptr mistake_;
  std::vector<NotSaved> failed_in_a_row_;  // the loop's own
  std::thread thread_;
};

}  // namespace knead::checkpoint
