#pragma once

#include <cstdint>
#include <filesystem>

#include "schema/merge/environment.h"

namespace knead::launch {

/// Counts the GPUs of NVIDIA that ranks may use: the device files nvidia0, nvidia1 … in `devices`,
/// but no more than CUDA_VISIBLE_DEVICES names, where -1 ends the list. Does not load the driver,
/// which takes up to a second, so it cannot tell whether a GPU works. Never throws.
std::int64_t visible_gpus(const schema::Environment& environment,
                          const std::filesystem::path& devices = "/dev");

}  // namespace knead::launch
