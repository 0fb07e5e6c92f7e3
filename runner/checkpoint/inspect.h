#pragma once

#include <optional>
#include <vector>

#include "runner/checkpoint/manifest.h"
#include "runner/checkpoint/snapshot.h"
#include "runner/files/file_system.h"

namespace knead::checkpoint {

// The functions of this header read checkpoints of a run. They change nothing, so they may be
// called while the run is alive.

/// Selects what a function that reads a whole checkpoint keeps of it in memory.
enum class Hold {
  tensors,
  /// Only the small state: ranks read the tensors that they need by themselves.
  state
};

/// Holds a whole checkpoint that was read and compared with its manifest. The parts are those that
/// one process would have saved, also if several ranks have; callers find their tensors by name.
struct Found {
  Snapshot snapshot;
  Manifest manifest;
};

/// Describes a checkpoint by its folder and its manifest.
struct Listed {
  /// RUN/checkpoints/step-…, or the name that recovery gave a damaged one.
  std::filesystem::path folder;
  std::uint64_t step = 0;
  /// std::nullopt if the checkpoint is damaged. A manifest that was only listed does not prove that
  /// the files beside it are whole.
  std::optional<Manifest> manifest;
  /// The reason why it is damaged, a sentence without its subject; empty if it is not.
  std::string damage;
};

/// Lists the checkpoints of a run by step, the oldest first. Reads only their manifests; a damaged
/// manifest is noted in Listed::damage. Empty if the run has none. Throws Error if the disk cannot
/// be read, or if a manifest has a format version that this program does not know.
std::vector<Listed> list_checkpoints(files::FileSystem& files,
                                     const std::filesystem::path& run_folder);

/// Lists the checkpoints of a run as list_checkpoints(), but reads and compares every byte, and
/// compares each checkpoint with its parent if that is still there. Appends the folders that
/// recovery set aside, as damaged ones. Takes as long as reading all checkpoints. Throws as
/// list_checkpoints().
std::vector<Listed> verify_checkpoints(files::FileSystem& files,
                                       const std::filesystem::path& run_folder);

/// Throws Error about a folder in which list_checkpoints() found none: that it does not exist, or
/// holds no checkpoint.
[[noreturn]] void refuse_without_checkpoint(const std::filesystem::path& run_folder);

/// Reads the checkpoint of a step and compares it with its manifest; keeps in memory what `hold`
/// says. Throws Damaged if it is not whole, and Error if there is none or the disk cannot be read.
Found load_checkpoint(files::FileSystem& files, const std::filesystem::path& run_folder,
                      std::uint64_t step, Hold hold = Hold::tensors);

}  // namespace knead::checkpoint
