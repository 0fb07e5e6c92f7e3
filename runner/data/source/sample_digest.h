#pragma once

#include <filesystem>
#include <string>

namespace knead::data {

/// Returns a text that identifies a file without reading all of it: its size and the digest of 16
/// blocks of 64 KiB spread over it, or of all bytes of a smaller file. Throws knead::Error if the
/// file cannot be read.
std::string sample_digest(const std::filesystem::path& path);

}  // namespace knead::data
