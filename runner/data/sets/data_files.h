#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "recipe.h"

namespace knead::data {

/// The files that a set of whatever kind is read from, in their order.
/// Throws knead::Error where there are none.
std::vector<std::filesystem::path> files_of(const recipe::DataSet& set);

/// What the files of a set are recognised by: sample_digest() of one; of several, how many there
/// are and a digest of their names and sample digests. Packed archives count as unpacked ones.
std::string data_digest(const recipe::DataSet& set);

}  // namespace knead::data
