#pragma once

#include <filesystem>
#include <vector>

#include "runner/weights/weights.h"

namespace knead::engine {

/// Opens files in which the ranks of a run have saved tensors, each a piece of them
/// ("average-00001-of-00004.safetensors" and the others), as if they were one file; or a single
/// file with whole tensors. Throws knead::Error if they cannot be read or do not fit together.
weights::Weights open_joined(const std::vector<std::filesystem::path>& files);

}  // namespace knead::engine
