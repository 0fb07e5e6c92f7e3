#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "schema/document/node.h"

namespace knead::schemagen {

/// Returns the bytes of a file, or an empty string if the file cannot be read.
std::string read_file(const std::filesystem::path& path);

/// Reads the files of the language as one document. The first file is the recipe itself; each other
/// file holds only `$defs`, which every file may refer to, and peers.yaml holds the names that
/// other trainers have for keys. Groups are derived (groups.h). Throws schema::InvalidRecipe at the
/// place of a mistake.
schema::Node read_language(const std::vector<std::filesystem::path>& files);

/// Returns the names of the blocks that the files after the first one hold: their file names
/// without .yaml. Leaves out peers.yaml.
std::vector<std::string> blocks_of(const std::vector<std::filesystem::path>& files);

}  // namespace knead::schemagen
