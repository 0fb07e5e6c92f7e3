#pragma once

#include <memory>

#include "recipe.h"
#include "runner/data/source/source.h"

namespace knead::data {

/// Opens the archives of a recipe: reads all headers, and the files of the first sample. What files
/// hold is read and decoded when it is asked for. Throws knead::Error with archive, file and byte
/// of what is wrong.
std::shared_ptr<const Source> open_tar(const recipe::Tar& tar);

}  // namespace knead::data
