#pragma once

#include <cstdint>
#include <string>

namespace knead::engine {

/// Holds the settings that LibTorch runs with.
struct Execution {
  std::int64_t threads = 1;   // within operators on the CPU
  bool deterministic = true;  // use only algorithms that give the same bits twice
  bool cuda = false;          // compute on the first GPU that CUDA_VISIBLE_DEVICES shows
  bool tf32 = false;          // let its tensor cores multiply float32 in TF32
};

/// Configures LibTorch and chooses the device. Must be called after load_cuda() and before the
/// first tensor, model or random number. Throws knead::Error if the GPU cannot be used.
void start_torch(const Execution& execution);

/// Returns the version of LibTorch that this program was compiled with: "2.11.0".
std::string torch_version();

/// Returns the instruction set that LibTorch's CPU kernels use: "AVX512".
std::string cpu_capability();

}  // namespace knead::engine
