#pragma once

#include <string>
#include <string_view>

#include "runner/data/arrays/stored.h"

namespace knead::data {

/// Reads the header of an idx file (the format of MNIST): two bytes of 0, a byte for the type, a
/// byte for the number of dimensions, then a 32-bit size for each dimension. All numbers are
/// big-endian. `beginning`: the first kLongestIdxHeader bytes, or the whole file if it is shorter.
/// `name`: the file, for messages. Does not check that the values follow. Throws knead::Error with
/// the offset of the fault.
StoredArray read_idx_header(std::string_view beginning, const std::string& name);

/// Gives the size in bytes of the largest header of an idx file.
inline constexpr std::size_t kLongestIdxHeader = 4 + 255 * 4;

/// Reads the header of a whole idx file and checks that exactly its values follow. `name`: the
/// file, for messages. Throws knead::Error with the offset of the fault, as read_idx_header() does.
StoredArray read_idx(std::string_view file, const std::string& name);

}  // namespace knead::data
