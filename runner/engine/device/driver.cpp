#include "runner/engine/device/driver.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <dlfcn.h>

#include <fmt/format.h>

#include "schema/document/error.h"

namespace knead::engine {
namespace {

/// Returns the folder that libc10 was loaded from; an empty path if it is not loaded.
std::filesystem::path torch_library_folder() {
  void* c10 = dlopen("libc10.so", RTLD_NOW | RTLD_NOLOAD);
  void* symbol =
      c10 ? dlsym(c10, "_ZTIN3c105ErrorE") : nullptr;  // typeinfo of c10::Error, in every version
  Dl_info info{};
  if (!symbol || !dladdr(symbol, &info) || !info.dli_fname) return {};
  return std::filesystem::path(info.dli_fname).parent_path();
}

/// Returns how many devices the driver shows; 0 without a driver.
int count_gpus() {
  void* driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (!driver) return 0;
  const auto init = reinterpret_cast<int (*)(unsigned)>(dlsym(driver, "cuInit"));
  const auto count = reinterpret_cast<int (*)(int*)>(dlsym(driver, "cuDeviceGetCount"));
  int devices = 0;
  return init && count && init(0) == 0 && count(&devices) == 0 ? devices : 0;
}

}  // namespace

bool driver_has_gpu() { return count_gpus() > 0; }

std::string gpu_name(int index) {
  if (index < 0 || index >= count_gpus()) return "";
  void* driver = dlopen("libcuda.so.1", RTLD_NOW);
  const auto get = reinterpret_cast<int (*)(int*, int)>(dlsym(driver, "cuDeviceGet"));
  const auto name_of = reinterpret_cast<int (*)(char*, int, int)>(dlsym(driver, "cuDeviceGetName"));
  int device = 0;
  std::array<char, 256> name{};
  if (!get || !name_of || get(&device, index) != 0) return "";
  return name_of(name.data(), static_cast<int>(name.size()) - 1, device) == 0 ? name.data() : "";
}

void expect_gpu(int index) {
  const int gpus = count_gpus();
  if (gpus == 0)
    throw Error("device is cuda, and there is no NVIDIA driver with a device",
                "write device: cpu, or auto");
  if (index < gpus) return;
  throw Error(fmt::format("rank {} of this machine needs a GPU of its own, and the driver shows {}",
                          index, gpus),
              "start fewer ranks; CUDA_VISIBLE_DEVICES says which GPUs they see");
}

void load_cuda() {
  // cuBLAS needs this to give the same bits twice, and reads it only once.
  setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", /*overwrite=*/0);
  const std::filesystem::path library = torch_library_folder() / "libtorch_cuda.so";
  if (dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL)) return;
  const char* reason = dlerror();
  throw Error(
      fmt::format("LibTorch's CUDA half cannot be loaded: {}", reason ? reason : "unknown reason"),
      "install the whole wheel, 'pip install torch==2.11.0', and set KNEAD_TORCH to its torch "
      "folder; "
      "or write device: cpu");
}

}  // namespace knead::engine
