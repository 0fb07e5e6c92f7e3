#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace knead::files {

/// Returns SHA-256 (FIPS 180-4) of `bytes` as 64 lower-case hexadecimal digits, as sha256sum prints
/// it. It identifies files that a recipe pins, where forgery counts; digest() is faster where only
/// damage does. Throws std::runtime_error if OpenSSL refuses.
std::string sha256(std::string_view bytes);

/// Returns SHA-256 of a whole file as 64 hexadecimal digits; needs constant memory. Throws
/// knead::Error if the file cannot be read.
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace knead::files
