#pragma once

#include <string>
#include <string_view>

#include "runner/data/arrays/stored.h"

namespace knead::data {

/// Reads the header of an npy file (versions 1 to 3) and checks that exactly its values follow.
/// `name`: the file, for messages. Throws knead::Error with the offset if the file is not an npy
/// file, its header is cut short or invalid, its type is not numeric, or the values are too few or
/// too many.
StoredArray read_npy(std::string_view file, const std::string& name);

}  // namespace knead::data
