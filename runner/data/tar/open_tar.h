#pragma once

#include <memory>

#include "recipe/images.h"
#include "runner/data/source/source.h"

namespace knead::data {

/// Opens the archives of a recipe, in the WebDataset layout: reads all headers and the files of the
/// first sample, which give shapes that the recipe leaves open. Other files are read and decoded on
/// request, directly from the archives, which stay open. Packed archives are unpacked into the
/// cache first: see plain_tars(). Throws knead::Error with archive, file and offset of the fault.
std::shared_ptr<const Source> open_tar(const recipe::Tar& tar);

}  // namespace knead::data
