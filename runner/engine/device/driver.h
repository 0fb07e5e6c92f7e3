#pragma once

namespace knead::engine {

/// Whether an NVIDIA driver with a device is here: asked of the driver itself, before LibTorch can
/// notice that there is none. Later is too late: once LibTorch has looked, its CUDA half cannot be
/// loaded any more.
bool driver_has_gpu();

/// Throws knead::Error where driver_has_gpu() is false.
void expect_gpu();

/// Loads LibTorch's CUDA half beside the half that this program is linked to. Must come before
/// anything else that LibTorch does. Throws knead::Error with the wheels that are missing.
void load_cuda();

}  // namespace knead::engine
