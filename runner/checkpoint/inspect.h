#pragma once

#include <optional>
#include <vector>

#include "runner/checkpoint/manifest.h"
#include "runner/checkpoint/snapshot.h"
#include "runner/files/file_system.h"

namespace knead::checkpoint {

// Looking at the checkpoints of a run: nothing here changes anything, so that it may be done while
// the run is alive.

/// A whole checkpoint, read and compared with its manifest. The tensors of a part are in the order
/// of the file: find them by name.
struct Found {
  Snapshot snapshot;
  Manifest manifest;
};

/// A checkpoint in a folder.
struct Listed {
  std::filesystem::path folder;
  std::uint64_t step = 0;
  std::optional<Manifest> manifest;  // none: it is damaged
  std::string damage;                // why
};

/// The checkpoints of a run by step, the oldest first, as their manifests tell; what the manifests
/// name is not read. A damaged manifest is reported. Throws Error where the disk cannot be read
/// or a manifest was written by a version that this one does not know.
std::vector<Listed> list_checkpoints(files::FileSystem& files,
                                     const std::filesystem::path& run_folder);

/// As list_checkpoints(), but every byte is read and compared, and each checkpoint with the one it
/// says it followed. Also lists the folders that recovery set aside, as damaged.
std::vector<Listed> verify_checkpoints(files::FileSystem& files,
                                       const std::filesystem::path& run_folder);

/// The checkpoint of a step. Throws Damaged, or Error where there is none.
Found load_checkpoint(files::FileSystem& files, const std::filesystem::path& run_folder,
                      std::uint64_t step);

/// A checkpoint that is whole, and those that were preferred and are not.
struct FirstWhole {
  Found found;
  std::vector<std::string> left_out;  // "step-00000500 is left out: …", a sentence each
};

/// The first of some steps of which every byte of the checkpoint is as it was. `steps` are in the
/// folder. Throws Error where none is whole.
FirstWhole load_first_whole(files::FileSystem& files, const std::filesystem::path& run_folder,
                            const std::vector<std::uint64_t>& steps);

}  // namespace knead::checkpoint
