#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "recipe/data.h"

namespace knead::data {

/// Returns the files that a set of any kind is read from, in order: all that determine its samples,
/// so also the tokenizer of a text and the indices of Megatron files. A set of images gives its
/// folder or its list, not the images. A mix gives the files of all its sets. Patterns are expanded
/// as by named_files(). Throws knead::Error as named_files() does, and std::bad_optional_access if
/// the set has no path, because its url has not been fetched yet.
std::vector<std::filesystem::path> files_of(const recipe::DataSet& set);

/// Returns a text that identifies the files of a set, by which a resumed run sees whether the data
/// changed: sample_digest() of a single file; images_digest() of images; for several files their
/// number and a digest of their names and sample digests; for a mix the number of its sets and a
/// digest of their digests. Folders are not part of it, so that moved files keep their digest. A
/// packed archive has the digest of its unpacked content, for which it is unpacked if necessary.
/// Throws knead::Error if a file cannot be read.
std::string data_digest(const recipe::DataSet& set);

}  // namespace knead::data
