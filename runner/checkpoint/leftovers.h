#pragma once

#include <string>
#include <vector>

#include "runner/files/file_system.h"

namespace knead::checkpoint {

/// Removes the folders that a save left unfinished or a rotation wants gone in RUN/checkpoints.
/// Says what could not be removed, a sentence each; throws nothing for the disk.
std::vector<std::string> remove_leftovers(files::FileSystem& files,
                                          const std::filesystem::path& checkpoints);

}  // namespace knead::checkpoint
