#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "recipe.h"

namespace knead::data {

/// An archive that can be read at any place.
struct PlainTar {
  std::filesystem::path path;
  std::string name;  // for messages: "a.tar", or of an unpacked one "a.tar.gz, unpacked"
};

/// The archives of a recipe, in their order. What gzip or zstd packed is unpacked into the cache,
/// once, and said on stderr; its name there is the one that it would have unpacked. Throws
/// knead::Error where one cannot be read or unpacked, or is packed in another way.
std::vector<PlainTar> plain_tars(const recipe::Tar& tar);

}  // namespace knead::data
