#pragma once

#include <memory>

#include "recipe/images.h"
#include "runner/data/source/source.h"

namespace knead::data {

/// Opens the archives of a recipe: reads all headers and the files of the first sample. Other files
/// are read and decoded on request. Throws knead::Error with archive, file and offset of the fault.
std::shared_ptr<const Source> open_tar(const recipe::Tar& tar);

}  // namespace knead::data
