#pragma once

#include <string>

#include "runner/engine/cuda/nccl_table.h"

namespace knead::engine::cuda {

/// Loads the plug-in that lies beside this program, and with it NCCL. Call it after load_cuda(),
/// which brings the NCCL of LibTorch's wheel along. Throws knead::Error with the reason if one of
/// the two is not there.
const NcclTable& load_nccl();

/// Returns the version of the loaded library: "2.28.9".
std::string nccl_version(const NcclTable& nccl);

}  // namespace knead::engine::cuda
