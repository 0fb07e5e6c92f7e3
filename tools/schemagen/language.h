#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "schema/document/node.h"

namespace knead::schemagen {

/// Returns the bytes of a file; empty if it cannot be read.
std::string read_file(const std::filesystem::path& path);

/// Reads the files of the language as one document. The first file is the recipe itself; each other
/// file holds only `$defs`, which every file may refer to, and peers.yaml the names that other
/// trainers have for keys. Groups are derived (groups.h). Throws schema::InvalidRecipe at the place
/// of a mistake.
schema::Node read_language(const std::vector<std::filesystem::path>& files);

/// Returns the names of the blocks that the files after the first one hold: the file without .yaml.
std::vector<std::string> blocks_of(const std::vector<std::filesystem::path>& files);

}  // namespace knead::schemagen
