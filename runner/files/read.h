#pragma once

#include <filesystem>
#include <string>

namespace knead::files {

/// All bytes of a file. Throws knead::Error that names it where it is not there, is a folder, or
/// cannot be read to its end.
std::string read_text(const std::filesystem::path& path);

}  // namespace knead::files
