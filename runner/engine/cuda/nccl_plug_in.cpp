// The plug-in for NCCL: a shared object of its own, compiled where nccl.h is found. It loads the
// library with dlopen; the header gives the types of its functions.

#include <cstring>
#include <string>
#include <type_traits>

#include <dlfcn.h>

#include <nccl.h>

#include "runner/engine/cuda/nccl_table.h"

namespace knead::engine::cuda {
namespace {

static_assert(sizeof(ncclUniqueId) == kNcclIdSize);

/// Points to the functions of libnccl.so.2 that are used.
struct Library {
  decltype(&ncclGetVersion) get_version;
  decltype(&ncclGetUniqueId) get_unique_id;
  decltype(&ncclCommInitRankConfig) init_rank;
  decltype(&ncclCommGetAsyncError) get_async_error;
  decltype(&ncclAllReduce) all_reduce;
  decltype(&ncclBroadcast) broadcast;
  decltype(&ncclCommFinalize) finalize;
  decltype(&ncclCommDestroy) destroy;
  decltype(&ncclCommAbort) abort;
  decltype(&ncclGetLastError) get_last_error;
};

Library library;  // filled by load()

ncclComm_t in(void* communicator) { return static_cast<ncclComm_t>(communicator); }

NcclResult result_of(ncclResult_t result) {
  switch (result) {
    case ncclSuccess: return NcclResult::done;
    case ncclInProgress: return NcclResult::in_progress;
    case ncclRemoteError: return NcclResult::rank_lost;
    default: return NcclResult::failed;
  }
}

ncclDataType_t type_of(NcclType type) {
  switch (type) {
    case NcclType::half: return ncclFloat16;
    case NcclType::bfloat16: return ncclBfloat16;
    case NcclType::float32: return ncclFloat32;
    case NcclType::float64: return ncclFloat64;
  }
  return ncclNumTypes;  // NCCL refuses it
}

std::string words_of_version(int version) {
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

/// Returns why the library cannot be used; empty if it can.
std::string why_not_loaded() {
  // LibTorch's CUDA half has loaded NCCL already if it was built with it; then this finds the same.
  void* const handle = dlopen("libnccl.so.2", RTLD_NOW);
  if (!handle) return dlerror();
  std::string missing;
  const auto find = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(handle, name));
    if (!function) missing = std::string("it has no function ") + name;
  };
  find(library.get_version, "ncclGetVersion");
  find(library.get_unique_id, "ncclGetUniqueId");
  find(library.init_rank, "ncclCommInitRankConfig");
  find(library.get_async_error, "ncclCommGetAsyncError");
  find(library.all_reduce, "ncclAllReduce");
  find(library.broadcast, "ncclBroadcast");
  find(library.finalize, "ncclCommFinalize");
  find(library.destroy, "ncclCommDestroy");
  find(library.abort, "ncclCommAbort");
  find(library.get_last_error, "ncclGetLastError");
  if (!missing.empty()) return missing;
  int version = 0;
  library.get_version(&version);
  // An older library would read only a part of ncclConfig_t, and not know that it is longer.
  if (version >= NCCL_VERSION_CODE) return "";
  return "it is version " + words_of_version(version) + ", and this knead was built with " +
         words_of_version(NCCL_VERSION_CODE);
}

const char* load() {
  static const std::string reason = why_not_loaded();
  return reason.empty() ? nullptr : reason.c_str();
}

int version() {
  int version = 0;
  library.get_version(&version);
  return version;
}

NcclResult make_id(void* id) {
  ncclUniqueId own;
  const ncclResult_t result = library.get_unique_id(&own);
  std::memcpy(id, &own, kNcclIdSize);
  return result_of(result);
}

NcclResult connect(void** communicator, int ranks, const void* id, int rank) {
  ncclUniqueId of_all;
  std::memcpy(&of_all, id, kNcclIdSize);
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  config.blocking = 0;
  ncclComm_t made = nullptr;
  const ncclResult_t result = library.init_rank(&made, ranks, of_all, rank, &config);
  *communicator = made;
  return result_of(result);
}

NcclResult state(void* communicator) {
  ncclResult_t state = ncclSuccess;
  const ncclResult_t asked = library.get_async_error(in(communicator), &state);
  return result_of(asked == ncclSuccess ? state : asked);
}

NcclResult sum(void* communicator, void* numbers, std::size_t count, NcclType type, void* stream) {
  return result_of(library.all_reduce(numbers, numbers, count, type_of(type), ncclSum,
                                      in(communicator), static_cast<cudaStream_t>(stream)));
}

NcclResult copy_from(void* communicator, int rank, void* bytes, std::size_t count, void* stream) {
  return result_of(library.broadcast(bytes, bytes, count, ncclUint8, rank, in(communicator),
                                     static_cast<cudaStream_t>(stream)));
}

NcclResult finish(void* communicator) { return result_of(library.finalize(in(communicator))); }

void destroy(void* communicator) { library.destroy(in(communicator)); }

void abort(void* communicator) { library.abort(in(communicator)); }

const char* reason(void* communicator) { return library.get_last_error(in(communicator)); }

constexpr NcclTable kTable{load,   version, make_id, connect, state, sum, copy_from,
                           finish, destroy, abort,   reason};

}  // namespace
}  // namespace knead::engine::cuda

extern "C" __attribute__((visibility("default"))) const knead::engine::cuda::NcclTable*
knead_nccl_table() {
  return &knead::engine::cuda::kTable;
}
