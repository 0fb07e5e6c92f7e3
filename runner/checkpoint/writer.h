#pragma once

#include <condition_variable>
#include <exception>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "runner/checkpoint/store.h"

namespace knead::checkpoint {

/// Describes a checkpoint that is durable and verified, and the rotation after it.
struct Saved {
  Manifest manifest;
  double seconds = 0;  // of the save and the rotation
  Rotation rotation;
};

/// Describes a save that failed; the earlier checkpoints are untouched.
struct NotSaved {
  std::uint64_t step = 0;
  std::string message;  // one sentence
  /// Advice for the user; may be empty.
  std::string remedy;
};

/// The result of one save.
using Outcome = std::variant<Saved, NotSaved>;

/// Saves checkpoints one at a time, in a background thread or in the calling one. All functions are
/// called from one thread, that of the training loop. From the first save to its destruction the
/// writer is the only user of the store.
///
/// At most one snapshot is in flight, so memory for one copy of the state suffices. The caller
/// makes a snapshot only when the writer is not busy, hands it over, and calls take() and check()
/// from time to time, because a failed save in the background shows nowhere else.
class Writer {
 public:
  /// Borrows the store. Starts the background thread if `in_background`; without it each save runs
  /// within the call.
  Writer(Store& store, bool in_background);
  /// Waits for the current save. Outcomes that take() did not give are lost.
  ~Writer();

  /// Returns whether an earlier save is still running. Ask before making a snapshot.
  bool busy() const;
  /// Saves and rotates; does not wait for a save in the background. Returns false, without a save,
  /// if busy. True does not mean that the save succeeds: take() tells.
  bool offer(Snapshot snapshot, Kept kept);
  /// Waits for an earlier save, then saves as offer(). For the best step.
  void save_next(Snapshot snapshot, Kept kept);
  /// Waits for an earlier save, then saves and rotates before it returns. For the last step and
  /// before a stop. Returns false if the save failed.
  bool save_now(Snapshot snapshot, Kept kept);
  /// Begins a save by several ranks, as Store::begin_shared(). Must be called only if not busy.
  /// std::nullopt if that fails; take() tells why.
  std::optional<std::filesystem::path> begin_shared(std::uint64_t step, std::uint64_t size);
  /// Publishes what the ranks have written and rotates; does not wait in the background. Must be
  /// called only if not busy.
  void seal(SharedSave save, Kept kept);
  /// Notes a save by several ranks that has failed before it began.
  void note_failure(NotSaved failure);
  /// Returns whether the last save has succeeded; false while one is running.
  bool is_last_saved() const;
  /// Waits until no save is running.
  void wait();

  /// Returns the outcomes since the last call, in order. Rethrows an exception of a save that is
  /// not a SaveFailed; the outcomes then stay for the next call.
  std::vector<Outcome> take();

  /// Throws knead::Error (exit code 5) once the last three outcomes that take() gave are failures.
  /// A success in between starts the count anew.
  void check() const;

 private:
  struct Job {
    std::uint64_t step = 0;
    /// Makes the checkpoint. Owns what it saves.
    std::function<Manifest(Store&)> save;
    Kept kept;
  };

  static Job saving(Snapshot snapshot, Kept kept);

  /// Runs in the background thread until the writer is destroyed.
  void work();
  /// Saves one job and stores its outcome. Frees what it saved before the writer is idle again.
  void run(Job job);
  /// Passes a job to the background thread, or runs it in the calling one.
  void start(Job job);

  Store& store_;
  std::vector<NotSaved> failed_in_a_row_;

  mutable std::mutex mutex_;  // guards the members below except thread_
  std::condition_variable changed_;
  std::optional<Job> next_;
  bool busy_ = false;
  bool ending_ = false;
  bool last_saved_ = false;
  std::vector<Outcome> outcomes_;
  std::exception_ptr mistake_;         // thrown in the background thread; take() rethrows it
  std::optional<std::thread> thread_;  // std::nullopt if saves run in the calling thread
};

}  // namespace knead::checkpoint
