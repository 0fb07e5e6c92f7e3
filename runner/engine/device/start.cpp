#include "runner/engine/device/start.h"

#include <sys/resource.h>
#include <sys/sysinfo.h>

#include <ATen/Context.h>
#include <ATen/DeviceAccelerator.h>
#include <ATen/Version.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <fmt/format.h>
#include <torch/csrc/jit/passes/autocast.h>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/csrc/jit/runtime/print_handler.h>
#include <torch/version.h>

#include "runner/engine/device/device.h"
#include "runner/engine/device/set_threads.h"
#include "runner/files/machine_memory.h"
#include "schema/document/error.h"

namespace knead::engine {
namespace {

/// Chooses the GPU. Throws knead::Error if it cannot be used.
void start_cuda(const Execution& execution) {
  compute_on(at::Device(at::kCUDA, static_cast<at::DeviceIndex>(*execution.gpu)));
  at::Context& context = at::globalContext();
  // Benchmarking chooses kernels by their time, so that another run may choose others.
  context.setBenchmarkCuDNN(false);
  context.setDeterministicCuDNN(execution.deterministic);
  context.setAllowTF32CuBLAS(execution.tf32);
  context.setAllowTF32CuDNN(execution.tf32);
  try {
    // NCCL, and other code that is not told a device, takes the current one.
    at::accelerator::setDeviceIndex(device().index());
    // The first product shows whether the GPU can be used. It also makes cuBLAS take its workspace
    // of 32 MiB, which would count to the activations of the first model that is measured.
    const at::Tensor number = at::ones({1, 1}, device());
    static_cast<void>(at::mm(number, number));
  } catch (const c10::Error& error) {
    const std::string text = error.what_without_backtrace();
    throw Error(fmt::format("the GPU cannot be used: {}", text.substr(0, text.find('\n'))),
                "LibTorch 2.11.0 wants an NVIDIA driver for CUDA 13; 'nvidia-smi' says what is "
                "there. Or write device: cpu");
  }
}

/// Chooses how models in TorchScript are executed.
void choose_executor() {
  // The profiling executor gives wrong gradients under checkpointing and other random numbers in
  // dropout. A function keeps the executor of its first run, so this must be set before any runs.
  torch::jit::getProfilingMode() = false;
  // TorchScript's own autocast pass casts other operations than eager PyTorch does.
  torch::jit::setAutocastMode(false);
}

/// Bounds the memory of this process a little below that of the machine. So an allocation fails,
/// and the run ends with a message, before the system ends this process or another one.
void bound_memory() {
  struct sysinfo machine {};
  struct rlimit limit {};
  if (::sysinfo(&machine) != 0 || ::getrlimit(RLIMIT_DATA, &limit) != 0) return;
  const std::uint64_t swap = std::uint64_t{machine.totalswap} * machine.mem_unit;
  const rlim_t most = (files::machine_memory() + swap) / 100 * 95;
  if (limit.rlim_cur <= most) return;
  limit.rlim_cur = most;
  ::setrlimit(RLIMIT_DATA, &limit);  // on failure, the system decides as before
}

}  // namespace

void start_torch_before_forks() {
  choose_executor();
  compute_before_forks();
}

void start_torch(const Execution& execution) {
  choose_executor();
  if (execution.gpu) {
    start_cuda(execution);
  } else {
    bound_memory();  // a driver of GPUs maps more than there is
  }
  set_threads(execution.threads);
  at::globalContext().setDeterministicAlgorithms(execution.deterministic, /*warn_only=*/false);
  // By default deterministic mode fills every uninitialised tensor, which costs time.
  at::globalContext().setDeterministicFillUninitializedMemory(false);
}

namespace {

/// Takes the warnings of a model's code out of those that another object processes.
class WarningsOfModels final : public c10::WarningHandler {
 public:
  void process(const c10::Warning& warning) override {
    // The interpreter warns where the code of a model does; all others are LibTorch's own.
    const std::string_view file = warning.source_location().file;
    // Destructors say so once a GPU has failed, which an error says in words.
    if (std::string_view(warning.msg()).starts_with("CUDA warning: ")) return;
    if (warning.verbatim() || file.ends_with("interpreter.cpp")) return show(warning.msg() + "\n");
    others->process(warning);
  }

  void (*show)(std::string_view) = nullptr;
  c10::WarningHandler* others = nullptr;
};

}  // namespace

void show_what_models_print(void (*show)(std::string_view text)) {
  static thread_local WarningsOfModels warnings;
  static void (*shown)(std::string_view);
  shown = show;
  torch::jit::setPrintHandler([](const std::string& text) { shown(text); });
  c10::WarningHandler* const present = c10::WarningUtils::get_warning_handler();
  if (present == &warnings) return;
  warnings.show = show;
  warnings.others = present;
  c10::WarningUtils::set_warning_handler(&warnings);
}

std::string torch_version() { return TORCH_VERSION; }

std::string cpu_capability() { return at::get_cpu_capability(); }

}  // namespace knead::engine
