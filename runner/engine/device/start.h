#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace knead::engine {

/// Holds the settings that LibTorch runs with. They are set once for the whole process.
struct Execution {
  /// Number of threads within one operator on the CPU; at least 1.
  std::int64_t threads = 1;
  /// Restricts operators to algorithms that give the same bits twice; an operator without one
  /// throws.
  bool deterministic = true;
  /// Computes on the GPU of this index, of those that CUDA_VISIBLE_DEVICES shows; std::nullopt: on
  /// the CPU.
  std::optional<int> gpu{};
  /// Lets the GPU's tensor cores multiply float32 in TF32, which keeps 10 bits of the mantissa.
  /// Without effect on the CPU.
  bool tf32 = false;
};

/// Configures LibTorch and chooses the device. Must be called once, after load_cuda() if a GPU is
/// used, and before the first tensor, model or random number. On the CPU, an allocation fails from
/// then on if this process has nearly all memory of the machine. Throws knead::Error if the GPU
/// cannot be used, with the first line of LibTorch's reason.
void start_torch(const Execution& execution);

/// Sets what is the same for all runs, in a process that forks runs, each of which calls
/// start_torch(). Operators may then compute, on one thread and on the CPU.
void start_torch_before_forks();

/// Passes what the code of a model prints and warns about, in TorchScript, to `show`. Of warnings
/// only those of this thread.
void show_what_models_print(void (*show)(std::string_view text));

/// Returns the version of LibTorch that this program was compiled with: "2.11.0".
std::string torch_version();

/// Returns the instruction set that LibTorch's CPU kernels use: "AVX512".
std::string cpu_capability();

}  // namespace knead::engine
