#pragma once

namespace knead::engine {

/// Returns whether an NVIDIA driver with at least one device is present. Asks the driver itself and
/// not LibTorch: once LibTorch has looked for a GPU, its CUDA half can no longer be loaded.
bool driver_has_gpu();

/// Throws knead::Error if driver_has_gpu() returns false.
void expect_gpu();

/// Loads LibTorch's CUDA half from the folder of the half that this program links. Must be called
/// before LibTorch does anything else. Throws knead::Error with the loader's reason if a library is
/// missing.
void load_cuda();

}  // namespace knead::engine
