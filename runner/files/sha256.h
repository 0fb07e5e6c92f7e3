#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace knead::files {

/// Returns SHA-256 of `bytes` as 64 hexadecimal digits, as sha256sum prints it.
std::string sha256(std::string_view bytes);

/// Returns SHA-256 of a whole file as 64 hexadecimal digits; needs constant memory. Throws
/// knead::Error if the file cannot be read.
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace knead::files
