#pragma once

#include <string>
#include <string_view>

#include "runner/data/arrays/stored.h"

namespace knead::data {

/// Reads the header of an npy file (numpy.lib.format, versions 1 to 3) and checks that exactly its
/// values follow. The result gives the offset of the values in `file`, which is the whole file or a
/// whole member of an npz archive. Reads booleans, integers of 1 to 8 bytes and floating-point
/// numbers of 2 to 8 bytes, in either byte order and in C or Fortran order. `name`: the file, for
/// messages.
///
/// Throws knead::Error with the offset if the file is not an npy file, its header is cut short or
/// invalid, its type is not numeric, or the values are too few or too many. Pickled objects are
/// refused and never loaded.
StoredArray read_npy(std::string_view file, const std::string& name);

}  // namespace knead::data
