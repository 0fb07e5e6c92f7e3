#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "recipe/data.h"

namespace knead::data {

/// Returns the files that a set of any kind is read from, in order. Throws knead::Error if a
/// pattern matches no file.
std::vector<std::filesystem::path> files_of(const recipe::DataSet& set);

/// Returns a text that identifies the files of a set: sample_digest() of a single file; for several
/// files their number and a digest of their names and sample digests. A packed archive has the
/// digest of its unpacked content. Throws knead::Error if a file cannot be read.
std::string data_digest(const recipe::DataSet& set);

}  // namespace knead::data
