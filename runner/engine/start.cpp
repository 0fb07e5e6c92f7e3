#include "runner/engine/start.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/Version.h>
#include <torch/csrc/jit/passes/autocast.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/version.h>

namespace knead::engine {

void start_torch(const Execution& execution) {
  // The profiling executor has given wrong gradients under checkpointing and other random numbers
  // in dropout; a function keeps the executor of its first run, so this cannot wait.
  torch::jit::getProfilingMode() = false;
  // TorchScript's own autocast pass casts other operations than eager PyTorch does.
  torch::jit::setAutocastMode(false);
  at::set_num_threads(static_cast<int>(execution.threads));
  at::globalContext().setDeterministicAlgorithms(execution.deterministic, /*warn_only=*/false);
  // Else every uninitialised tensor is filled first.
  at::globalContext().setDeterministicFillUninitializedMemory(false);
}

std::string torch_version() { return TORCH_VERSION; }

std::string cpu_capability() { return at::get_cpu_capability(); }

}  // namespace knead::engine
