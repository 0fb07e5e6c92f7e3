#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runner/checkpoint/inspect.h"
#include "runner/checkpoint/keep.h"
#include "runner/checkpoint/rank_parts.h"

namespace knead::checkpoint {

class Layout;

/// Holds what ends a save by several ranks, after each has written its files.
struct SharedSave {
  std::uint64_t step = 0;
  std::filesystem::path folder;   // what Store::begin_shared() returned
  nlohmann::json state;           // as Snapshot::state
  nlohmann::json facts;           // as Snapshot::facts
  std::vector<RankResult> ranks;  // by rank
};

/// Reports a save that failed and left the earlier checkpoints as they were; the run continues. The
/// message says what the disk lacks, the remedy what the user can do.
class SaveFailed : public Error {
 public:
  using Error::Error;
};

/// Holds the result of Store::recover(): where the run continues.
struct Recovery {
  /// The newest whole checkpoint; std::nullopt: the run begins from scratch.
  std::optional<Found> found;
  std::vector<std::string> notes;  // sentences about damaged or removed folders, for the log
};

/// Holds the result of Store::rotate(): what it deleted and what it could not delete.
struct Rotation {
  /// Steps whose checkpoints are gone.
  std::vector<std::uint64_t> removed;
  /// Sentences about deletions that failed; each is given once per store, not at every save.
  std::vector<std::string> warnings;
};

/// Saves, recovers and deletes the checkpoints of one run: RUN/checkpoints/step-00000500/…
///
/// A checkpoint is written to a folder with a temporary name, synced, and published by a rename, so
/// a folder with a checkpoint's name was whole when it got the name. Nothing is deleted before a
/// newer checkpoint was read back. So a kill or a power cut at any time leaves the last
/// acknowledged checkpoint.
///
/// The caller holds the run's lock and calls recover() first. Not thread-safe.
class Store {
 public:
  /// The folder must exist. The file system must outlive the store.
  Store(files::FileSystem& files, const std::filesystem::path& run_folder);

  /// Removes the remains of an interrupted save, reads the newest whole checkpoint and renames
  /// newer damaged ones to bad-step-…-1. A second call changes nothing more. Throws Error (exit
  /// code 3), before it renames any, if there are checkpoints but none is whole, if they belong to
  /// two runs, or if the disk cannot be read.
  Recovery recover(Hold hold = Hold::tensors);

  /// Returns the id of the run after recover(): that of the found checkpoint, or a new one.
  const std::string& run() const { return run_; }

  /// Saves a checkpoint and returns its manifest when it is durable and was read back and compared
  /// with the digests of the snapshot. Does not save a step again that is there with the same
  /// tensors. Throws SaveFailed; the folder then holds at most what recover() removes in addition,
  /// or, if the disk also refuses a rename, a folder that recover() compares like any other. Throws
  /// std::invalid_argument for a snapshot that files cannot hold, as Layout does.
  Manifest save(const Snapshot& snapshot);

  /// Begins a save in which each rank writes files of its own: creates the folder into which all
  /// ranks then write with write_parts(), and returns it. `size`: the bytes that all of them need.
  /// seal() ends the save; no other may run meanwhile. Throws SaveFailed.
  std::filesystem::path begin_shared(std::uint64_t step, std::uint64_t size);

  /// Publishes what the ranks have written, as one checkpoint, and returns its manifest when it is
  /// durable and was read back. If a rank has failed, or anything fails here, nothing is published
  /// and the folder is removed. Throws SaveFailed, which names the rank, and as save().
  Manifest seal(const SharedSave& save);

  /// Deletes the checkpoints that `kept` does not keep. Deletes only checkpoints whose manifest has
  /// this run's id, and only files that the manifest names: a checkpoint with a foreign file stays.
  /// Decides by what is on disk. A failure becomes a warning, so nothing is thrown for it.
  Rotation rotate(const Kept& kept);

 private:
  /// Sets the state that follows from the checkpoint that recover() found.
  void begin_from(const std::optional<Found>& found);

  /// Renames a damaged checkpoint and returns a sentence about it.
  std::string set_aside(const Listed& bad);

  /// Returns the manifest if the step is on disk with the same tensors. Throws SaveFailed if it is
  /// there with others.
  std::optional<Manifest> already_saved(std::uint64_t step, const std::string& tensors);

  /// Calls `write` for a temporary folder, renames it, syncs, verifies; undoes all of it at a
  /// failure. `write` makes all files and returns their manifest.
  Manifest commit(std::uint64_t step, const std::filesystem::path& temporary,
                  const std::function<Manifest()>& write);

  /// Calls `save` and turns failures of the disk into SaveFailed. `needed`: bytes, for the message.
  template <class Save>
  auto explaining(std::uint64_t step, std::uint64_t needed, Save save);

  /// Makes a verified checkpoint the parent of the next one.
  void acknowledge(const Manifest& manifest);
  void verify(const std::filesystem::path& folder, const Manifest& manifest);

  /// Renames a published folder to a temporary name, so that it is not a checkpoint any more.
  void withdraw(const std::filesystem::path& folder);

  /// Lists the checkpoints with a whole manifest of this run.
  std::vector<Listed> own_checkpoints();
  /// Unpublishes the given checkpoints, then deletes their files.
  void remove(const std::vector<Listed>& old, Rotation& rotation);
  /// Renames a checkpoint to a temporary name, unless it holds a foreign file.
  void unpublish(const Listed& old, Rotation& rotation);
  /// Adds a warning that was not given before.
  void warn(const std::string& warning, Rotation& rotation);

  files::FileSystem& files_;
  std::filesystem::path run_folder_;
  std::filesystem::path folder_;  // RUN/checkpoints
  std::string run_;
  std::optional<Parent> newest_;      // parent of the next checkpoint
  std::set<std::uint64_t> verified_;  // steps that this process has read back
  std::optional<std::uint64_t> resumed_from_;
  std::set<std::string> warned_;  // warnings that were given already
};

}  // namespace knead::checkpoint
