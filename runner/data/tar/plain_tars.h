#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "recipe/images.h"

namespace knead::data {

/// Describes an archive that can be read at any offset: the one of the recipe, or its unpacked copy
/// in the cache.
struct PlainTar {
  std::filesystem::path path;
  std::string name;  // for messages: "a.tar", or "a.tar.gz, unpacked"
};

/// Returns the archives of a recipe in order, patterns expanded as by named_files(). Unpacks
/// archives that are packed by gzip or zstd into the cache, once, and reports that on stderr; the
/// first bytes and not the name tell how a file is packed. A later call finds the copies, and reads
/// only the beginnings of archives that did not change. Throws knead::Error if an archive cannot be
/// read or unpacked, or is packed in another way.
std::vector<PlainTar> plain_tars(const recipe::Tar& tar);

}  // namespace knead::data
