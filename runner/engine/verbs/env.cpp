#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runner/engine/cuda/nccl_library.h"
#include "runner/engine/device/driver.h"
#include "runner/engine/device/start.h"
#include "runner/engine/verbs/call.h"
#include "runner/engine/verbs/verbs.h"

namespace knead::engine {

namespace {

/// Returns the version of the NCCL that was found, or why none can be used.
std::string words_of_nccl() {
  try {
    return cuda::nccl_version(cuda::load_nccl());
  } catch (const Error& error) {
    return error.what();
  }
}

/// Returns the names of the GPUs that the driver shows: "NVIDIA H200, NVIDIA H200".
std::string gpus_in_words() {
  std::vector<std::string> names;
  for (std::string name; !(name = gpu_name(static_cast<int>(names.size()))).empty();)
    names.push_back(name);
  return names.empty() ? "a GPU without a name" : fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

Exit env() {
  const plan::Machine machine = this_machine();
  std::string cuda = "no driver, or no device";
  std::string nccl = "not looked for without a device";
  // CUDA is loaded before LibTorch starts, as in a run: later it cannot be loaded.
  if (driver_has_gpu()) {
    try {
      load_cuda();
      cuda = gpus_in_words() + "; LibTorch's CUDA half is loaded";
    } catch (const Error& error) {
      cuda = error.what();
    }
    nccl = words_of_nccl();
  }
  start_torch({machine.cores, true});
  fmt::print("libtorch   {}, {} kernels\n", torch_version(), cpu_capability());
  fmt::print("cores      {} for this process\n", machine.cores);
  fmt::print("cuda       {}\n", cuda);
  fmt::print("nccl       {}\n", nccl);
  return Exit::done;
}

}  // namespace knead::engine
