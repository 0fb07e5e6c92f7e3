#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "schema/merge/environment.h"

namespace knead::launch {

/// Returns what CUDA_VISIBLE_DEVICES may call the GPUs of NVIDIA that ranks may use: the items that
/// it has, where -1 ends the list, or numbers from 0; as many as there are device files nvidia0,
/// nvidia1 … in `devices`, at most. Does not load the driver, which takes up to a second, so it
/// cannot tell whether a GPU works. Never throws.
std::vector<std::string> visible_gpus(const schema::Environment& environment,
                                      const std::filesystem::path& devices = "/dev");

}  // namespace knead::launch
