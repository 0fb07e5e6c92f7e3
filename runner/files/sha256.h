#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace knead::files {

/// SHA-256 of some bytes as 64 hexadecimal digits: what sha256sum prints.
std::string sha256(std::string_view bytes);

/// The same of a whole file, in constant memory. Throws knead::Error where it cannot be read.
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace knead::files
