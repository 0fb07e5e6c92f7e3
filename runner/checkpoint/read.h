#pragma once

#include "runner/checkpoint/inspect.h"

namespace knead::checkpoint {

// Reading one checkpoint folder. All throw Damaged where the checkpoint is to blame, and Error
// where it cannot be told: a machine out of memory or descriptors, a folder that may not be read.

/// The manifest, compared with the name of the folder.
Manifest read_manifest_in(files::FileSystem& files, const std::filesystem::path& folder);

/// Compares size and digest of every file with the manifest.
void check_files(files::FileSystem& files, const std::filesystem::path& folder,
                 const Manifest& manifest);

/// Everything, compared with the manifest while it is read.
Found read_checkpoint(files::FileSystem& files, const std::filesystem::path& folder);

}  // namespace knead::checkpoint
