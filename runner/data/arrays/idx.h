#pragma once

#include <string>
#include <string_view>

#include "runner/data/arrays/stored.h"

namespace knead::data {

/// Reads the header of an idx file (the format of MNIST), whose numbers are big-endian. Does not
/// check that the values follow. Throws knead::Error with the offset of the fault.
StoredArray read_idx_header(std::string_view beginning, const std::string& name);

/// Gives the size in bytes of the largest header of an idx file.
inline constexpr std::size_t kLongestIdxHeader = 4 + 255 * 4;

/// Reads the header of a whole idx file and checks that exactly its values follow. Throws
/// knead::Error with the offset of the fault.
StoredArray read_idx(std::string_view file, const std::string& name);

}  // namespace knead::data
