#pragma once

#include "runner/checkpoint/inspect.h"

namespace knead::checkpoint {

// The functions of this header read one checkpoint folder. They throw Damaged if the checkpoint is
// damaged, and Error if that cannot be decided: the machine lacks memory or file descriptors, or
// the folder may not be read.

/// Reads the manifest and checks that its step agrees with the name of the folder and that it names
/// state.json. Does not look at the other files.
Manifest read_manifest_in(files::FileSystem& files, const std::filesystem::path& folder);

/// Compares size and digest of every file with the manifest. Reads all bytes, except of a file with
/// a wrong size, and keeps none in memory.
void check_files(files::FileSystem& files, const std::filesystem::path& folder,
                 const Manifest& manifest);

/// Reads the whole checkpoint and compares it with its manifest in the same pass, and the tensors
/// with the digest of those that the run held. Joins the files of several ranks, so the snapshot is
/// the one that a single process would have saved. With Hold::state keeps no tensors in memory: the
/// snapshot has no parts.
Found read_checkpoint(files::FileSystem& files, const std::filesystem::path& folder,
                      Hold hold = Hold::tensors);

}  // namespace knead::checkpoint
