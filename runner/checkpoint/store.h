#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runner/checkpoint/inspect.h"

namespace knead::checkpoint {

/// A save that failed and left everything as it was: the run goes on.
class SaveFailed : public Error {
 public:
  using Error::Error;
};

/// What a start found.
struct Recovery {
  std::optional<Found> found;      // none: the run begins anew
  std::vector<std::string> notes;  // what was wrong or set aside, a sentence each, for the log
};

/// Which checkpoints are not to be deleted, besides the one a run was resumed from until two newer
/// ones are verified.
struct Kept {
  std::size_t last = 1;          // how many of the newest verified ones, at least 1
  std::set<std::uint64_t> best;  // steps, as evaluations.jsonl tells
  /// Which stretch of the run a step belongs to, counted from 0: the first checkpoint of each
  /// stretch from the second on is kept for ever. Empty: none is. Pure.
  std::function<std::uint64_t(std::uint64_t step)> stretch;
};

struct Rotation {
  std::vector<std::uint64_t> removed;  // steps
  std::vector<std::string> warnings;   // what should be deleted and could not be; each once
};

/// The checkpoints of one run: RUN/checkpoints/step-00000500/… The caller holds the run's lock;
/// recover() comes first; one thread at a time.
class Store {
 public:
  /// `run_folder` must be there. Both must outlive the store.
  Store(files::FileSystem& files, std::filesystem::path run_folder);

  /// Removes what an interrupted save left, finds the newest checkpoint of which every byte is as
  /// it was, and moves newer ones that are not out of the way (bad-step-…-1). A second call changes
  /// nothing more. Throws Error (exit 3) where there are checkpoints but no good one, or those of
  /// two runs, or the disk cannot be read; then nothing was moved.
  Recovery recover();

  /// The id of the run, after recover(): that of what was found, or a new one.
  const std::string& run() const { return run_; }

  /// Saves and returns when the checkpoint is durable and was read back as the run held it. A step
  /// that is already there and the same is not saved again. Throws SaveFailed, then the folder is
  /// as it was but for what recover() removes.
  Manifest save(const Snapshot& snapshot);

  /// Deletes what need not be kept: only checkpoints whose manifest carries this run's id, only
  /// files that it names. What stays is decided from what is on disk. Never throws for the disk.
  Rotation rotate(const Kept& kept);

 private:
  struct Unpublished;

  std::filesystem::path temporary() const;
  void set_aside(const Listed& bad, std::vector<std::string>& notes);
  Manifest write(const Snapshot& snapshot, const std::filesystem::path& folder);
  void remove(const Listed& old);

  files::FileSystem& files_;
  std::filesystem::path run_folder_;
  std::filesystem::path folder_;  // RUN/checkpoints
  std::string run_;
  std::optional<Parent> newest_;      // what the next one follows
  std::set<std::uint64_t> verified_;  // steps read back by this process
  std::optional<std::uint64_t> resumed_from_;
  std::set<std::filesystem::path> warned_;
};

}  // namespace knead::checkpoint
