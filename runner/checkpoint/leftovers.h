#pragma once

#include <string>
#include <vector>

#include "runner/files/file_system.h"

namespace knead::checkpoint {

/// Removes the temporary folders in RUN/checkpoints: those of interrupted saves and those that
/// rotation has renamed for deletion. Files and folders with other names stay. The caller holds the
/// run's lock, because a save in progress has such a folder too. Returns a sentence for each that
/// could not be removed; does not throw for failures of the disk.
std::vector<std::string> remove_leftovers(files::FileSystem& files,
                                          const std::filesystem::path& checkpoints);

}  // namespace knead::checkpoint
