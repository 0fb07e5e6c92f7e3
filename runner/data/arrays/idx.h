#pragma once

#include <string>
#include <string_view>

#include "runner/data/arrays/stored.h"

namespace knead::data {

/// What the header of an idx file (the format of MNIST) says, big-endian as its values are; not yet
/// checked against what follows. Throws knead::Error with the byte of what is wrong.
StoredArray read_idx_header(std::string_view beginning, const std::string& name);

/// The most bytes that such a header may take.
inline constexpr std::size_t kLongestIdxHeader = 4 + 255 * 4;

/// The same for a whole file, with its values checked to be there.
StoredArray read_idx(std::string_view file, const std::string& name);

}  // namespace knead::data
