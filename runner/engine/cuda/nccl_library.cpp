#include "runner/engine/cuda/nccl_library.h"

#include <filesystem>

#include <dlfcn.h>

#include <fmt/format.h>

#include "schema/document/error.h"

namespace knead::engine::cuda {
namespace {

constexpr const char* kPlugIn = "libknead_nccl.so";

Error not_there(const std::string& what, const std::string& remedy) {
  return Error(what, remedy + ", or write distributed.backend: gloo, which is slower");
}

const NcclTable* table_of_plug_in() {
  const std::filesystem::path path =
      std::filesystem::read_symlink("/proc/self/exe").parent_path() / kPlugIn;
  if (!std::filesystem::exists(path))
    throw not_there("this knead was built without NCCL, which carries gradients between GPUs",
                    "build it where nccl.h and cuda_runtime_api.h are installed");
  void* const plug_in = dlopen(path.c_str(), RTLD_NOW);
  const auto table =
      reinterpret_cast<NcclTableFunction*>(plug_in ? dlsym(plug_in, kNcclTableFunction) : nullptr);
  if (table) return table();
  throw not_there(fmt::format("{} cannot be loaded: {}", kPlugIn, dlerror()),
                  "build knead again with tools/build");
}

}  // namespace

const NcclTable& load_nccl() {
  const NcclTable* const table = table_of_plug_in();
  if (const char* const reason = table->load())
    throw not_there(fmt::format("NCCL cannot be used: {}", reason),
                    "install the whole wheel, 'pip install torch==2.11.0'");
  return *table;
}

std::string nccl_version(const NcclTable& nccl) {
  const int version = nccl.version();
  return fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

}  // namespace knead::engine::cuda
