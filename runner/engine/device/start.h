#pragma once

#include <cstdint>
#include <string>

namespace knead::engine {

/// How LibTorch is to run.
struct Execution {
  std::int64_t threads = 1;
  bool deterministic = true;
  bool cuda = false;  // on the first GPU that CUDA_VISIBLE_DEVICES shows
  bool tf32 = false;  // there, products of float32 in tensor cores
};

/// Sets LibTorch up, and chooses the device. Must come before the first tensor, model or random
/// number, and after load_cuda().
void start_torch(const Execution& execution);

/// "2.11.0", with what was compiled in.
std::string torch_version();

/// The instruction set of LibTorch's kernels: "AVX512".
std::string cpu_capability();

}  // namespace knead::engine
