#pragma once

#include <filesystem>
#include <string>

namespace knead::files {

/// Reads all bytes of a file; does not check or change them, so they need not be text. There is no
/// limit of size. Throws knead::Error that names the file if it does not exist, is a folder, or
/// cannot be read to its end. For files of a run, whose digest counts, see file.h.
std::string read_text(const std::filesystem::path& path);

}  // namespace knead::files
