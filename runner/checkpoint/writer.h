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
/// at once. All functions are the training loop's, to be called from one thread. From the first
/// save to the end of the writer the store is the writer's.
class Writer {
 public:
  Writer(Store& store, bool in_background);
  /// Waits for the save that is being made.
  ~Writer();

  /// Whether an earlier one is still being saved: ask before a snapshot is made.
  bool busy() const;
  /// Saves, then rotates; in the background without waiting for it. False if busy: then this one is
  /// skipped.
  bool offer(Snapshot snapshot, Kept kept);
  /// Waits until an earlier one is saved, then saves this one as offer() does: for the best.
  void save_next(Snapshot snapshot, Kept kept);
  /// Waits until an earlier one is saved, saves this one, rotates, and returns when that is done:
  /// for the last, and the one before a stop. False if it failed.
  bool save_now(Snapshot snapshot, Kept kept);
  /// Returns when nothing is being saved.
  void wait();

  /// What happened since the last call, in order. Rethrows what is no failure of a disk.
  std::vector<Outcome> take();

  /// Throws knead::Error (exit 5) once three saves in a row have failed, of those that take() gave.
  void check() const;

 private:
  struct Job {
    Snapshot snapshot;
    Kept kept;
  };

  void work();
  void run(Job job);
  void start(Job job);

  Store& store_;
  std::vector<NotSaved> failed_in_a_row_;

  mutable std::mutex mutex_;  // of all below but the thread
  std::condition_variable changed_;
  std::optional<Job> next_;
  bool busy_ = false;
  bool ending_ = false;
  bool last_saved_ = false;
  std::vector<Outcome> outcomes_;
  std::exception_ptr mistake_;
  std::optional<std::thread> thread_;  // none: not in the background
};

}  // namespace knead::checkpoint
