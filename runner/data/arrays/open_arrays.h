#pragma once

#include <memory>

#include "recipe.h"
#include "runner/data/source/source.h"

namespace knead::data {

/// Open the arrays that a recipe names. What is stored as it is stays on the disk; what is
/// compressed is unpacked into memory. Throw knead::Error with the file and byte of what is wrong,
/// or the nearest name of an array that is not there.
std::shared_ptr<const Source> open_npy(const recipe::Npy& npy);
std::shared_ptr<const Source> open_npz(const recipe::Npz& npz);
std::shared_ptr<const Source> open_idx(const recipe::Idx& idx);
std::shared_ptr<const Source> open_safetensors(const recipe::Safetensors& safetensors);

}  // namespace knead::data
