#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runner/checkpoint/inspect.h"
#include "runner/checkpoint/keep.h"

namespace knead::checkpoint {

class Layout;

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

/// What was deleted after a save.
struct Rotation {
  std::vector<std::uint64_t> removed;  // steps
  std::vector<std::string> warnings;   // what should be deleted and could not be; each once
};

/// The checkpoints of one run: RUN/checkpoints/step-00000500/… The caller holds the run's lock;
/// recover() comes first; one thread at a time.
class Store {
 public:
  /// `run_folder` must be there. The file system must outlive the store.
  Store(files::FileSystem& files, const std::filesystem::path& run_folder);

  /// Removes what an interrupted save left, finds the newest checkpoint of which every byte is as
  /// it was, and sets newer ones aside (bad-step-…-1). Doing it again changes nothing more. Throws
  /// Error (exit 3), and sets nothing aside, where there are checkpoints but no good one, or those
  /// of two runs, or the disk cannot be read.
  Recovery recover();

  /// The id of the run, after recover(): that of what was found, or a new one.
  const std::string& run() const { return run_; }

  /// Saves, and returns when the checkpoint is durable and was read back as the run held it. A step
  /// that is already there with the same tensors is not saved again. Throws SaveFailed; then the
  /// folder is as it was, but perhaps for what recover() removes.
  Manifest save(const Snapshot& snapshot);

  /// Deletes what need not be kept: only checkpoints whose manifest carries this run's id, only
  /// files that it names. Decides from what is on disk. What it cannot do is a warning.
  Rotation rotate(const Kept& kept);

 private:
  void begin_from(const std::optional<Found>& found);
  std::string set_aside(const Listed& bad);

  std::optional<Manifest> already_saved(const Snapshot& snapshot);
  Manifest commit(std::uint64_t step, const Layout& layout);
  Manifest write(const Layout& layout, const std::filesystem::path& folder);
  void acknowledge(const Manifest& manifest);
  void verify(const std::filesystem::path& folder, const Manifest& manifest);
  void withdraw(const std::filesystem::path& folder);

  std::vector<Listed> own_checkpoints();
  void remove(const std::vector<Listed>& old, Rotation& rotation);
  void unpublish(const Listed& old, Rotation& rotation);
  void warn(const std::string& warning, Rotation& rotation);

  files::FileSystem& files_;
  std::filesystem::path run_folder_;
  std::filesystem::path folder_;  // RUN/checkpoints
  std::string run_;
  std::optional<Parent> newest_;      // what the next one follows
  std::set<std::uint64_t> verified_;  // steps that this process read back
  std::optional<std::uint64_t> resumed_from_;
  std::set<std::string> warned_;  // what was said once
};

}  // namespace knead::checkpoint
