#pragma once

#include <string>

namespace knead::engine {

/// Returns whether an NVIDIA driver with at least one device is present. Asks the driver itself and
/// not LibTorch: LibTorch's CUDA half cannot be loaded once LibTorch has looked for a GPU.
/// Initialises the driver in this process, which may take a second; never throws.
bool driver_has_gpu();

/// Returns the name that the driver gives the GPU of this index: "NVIDIA A100-SXM4-80GB"; an empty
/// text if there is none. Never throws.
std::string gpu_name(int index);

/// Throws knead::Error, with `device: cpu` as the remedy, if driver_has_gpu() returns false, or if
/// the driver shows no GPU of this index.
void expect_gpu(int index);

/// Loads LibTorch's CUDA half from the folder of the half that this program links, for the rest of
/// the process. Must be called before LibTorch does anything else. Sets the environment variable
/// that makes cuBLAS deterministic unless it is set already. Throws knead::Error with the loader's
/// reason if a library is missing.
void load_cuda();

}  // namespace knead::engine
