#pragma once

#include <filesystem>
#include <string>

namespace knead::files {

/// Reads all bytes of a file. Throws knead::Error that names the file if it does not exist, is a
/// folder, or cannot be read to its end.
std::string read_text(const std::filesystem::path& path);

}  // namespace knead::files
