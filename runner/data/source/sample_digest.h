#pragma once

#include <filesystem>
#include <string>

namespace knead::data {

/// What a file of data is recognised by without reading all of it: its name, its size and the
/// digest of 16 blocks of 64 KiB spread over it (all of a smaller file). Throws knead::Error where
/// it cannot be read.
std::string sample_digest(const std::filesystem::path& path);

}  // namespace knead::data
