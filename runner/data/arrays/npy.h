#pragma once

#include <string>
#include <string_view>

#include "runner/data/arrays/stored.h"

namespace knead::data {

/// What the header of an npy file (versions 1 to 3) says, checked against the bytes that are there.
/// `name`: the file, for messages. Throws knead::Error with the byte of what is wrong: no npy file,
/// a header that is cut short or says what it may not, a type that is no number, values that end
/// before they should or are followed by something.
StoredArray read_npy(std::string_view file, const std::string& name);

}  // namespace knead::data
