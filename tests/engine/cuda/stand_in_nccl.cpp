// A libnccl.so.2 that works on host memory, between processes. It is stricter than NCCL: it reports
// calls that would be wrong there only with luck, and it is never done at once, so that code which
// does not wait sees numbers that are none.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <nccl.h>

#include "tests/engine/cuda/shared_ranks.h"
#include "tests/engine/device/device_stream.h"

using knead::engine::DeviceStream;
using knead::engine::cuda::Call;
using knead::engine::cuda::SharedRanks;

struct ncclComm {
  std::thread::id thread = std::this_thread::get_id();
  std::unique_ptr<SharedRanks> ranks;
  std::thread connecting;
  std::atomic<ncclResult_t> error = ncclInProgress;  // until it is connected
  std::mutex reason_mutex;
  std::string reason;
  std::function<ncclResult_t()> called{};  // an operation that is not on its stream yet
  int looks = 0;                           // at how the call goes on
  std::atomic<int> running = 0;            // operations on the stream
  bool is_finishing = false;
};

namespace {

std::mutex mutex;
std::set<ncclComm*> communicators;  // that are not destroyed
std::string last_reason;

/// Says at the end of the process which communicators nobody has ended.
struct AtEnd {
  ~AtEnd() {
    if (!communicators.empty())
      std::fprintf(stderr, "stand-in for NCCL: a communicator was not ended\n");
  }
} at_end;

ncclResult_t refuse(ncclResult_t result, const std::string& reason) {
  const std::lock_guard lock(mutex);
  last_reason = reason;
  return result;
}

/// Stores an error that state() reports.
ncclResult_t fail(ncclComm& communicator, ncclResult_t error, const std::string& reason) {
  const std::lock_guard lock(communicator.reason_mutex);
  communicator.reason = reason;
  communicator.error = error;
  return error;
}

bool is_known(ncclComm* communicator) {
  const std::lock_guard lock(mutex);
  return communicators.contains(communicator);
}

/// Calls what ranks do together. Returns false, with the error stored, if they cannot.
bool run_together(ncclComm& communicator, const std::function<void()>& work) {
  try {
    work();
    return true;
  } catch (const knead::engine::cuda::RankLost&) {
    fail(communicator, ncclRemoteError, "another rank is gone");
  } catch (const knead::engine::cuda::Mismatch& mismatch) {
    fail(communicator, ncclInvalidUsage, mismatch.words);
  } catch (const knead::engine::cuda::Aborted&) {
  }
  return false;
}

/// One operation on its way.
struct Operation {
  ncclComm& communicator;
  Call call;
  void* data;
  std::vector<unsigned char> bytes;  // as they were when the operation was queued

  /// Runs on the stream. An operation that failed never ends, until its communicator is aborted:
  /// so do kernels of NCCL.
  void run() {
    const bool is_done =
        run_together(communicator, [&] { communicator.ranks->run(call, bytes.data()); });
    if (is_done) std::memcpy(data, bytes.data(), bytes.size());
    while (!is_done && !communicator.ranks->is_aborted())
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    --communicator.running;
  }
};

/// Puts an operation on its stream. Until it is done, its memory holds no numbers.
ncclResult_t issue(ncclComm& communicator, const Call& call, void* data, std::size_t size,
                   DeviceStream& stream) {
  const auto* const begin = static_cast<unsigned char*>(data);
  auto operation = std::make_unique<Operation>(Operation{communicator, call, data, {}});
  operation->bytes.assign(begin, begin + size);
  std::memset(data, 0xff, size);
  ++communicator.running;
  const auto run = [](void* queued) {
    const std::unique_ptr<Operation> own(static_cast<Operation*>(queued));
    own->run();
  };
  if (stream.queue(run, operation.get())) {
    static_cast<void>(operation.release());
    return ncclSuccess;
  }
  --communicator.running;
  return fail(communicator, ncclInvalidUsage,
              "the stream does not wait for the work that was queued on the device before");
}

ncclResult_t expect_ready(ncclComm* communicator) {
  if (!is_known(communicator)) return refuse(ncclInvalidArgument, "the communicator has ended");
  if (communicator->thread != std::this_thread::get_id())
    return refuse(ncclInvalidUsage, "two threads use the communicator");
  const ncclResult_t state = communicator->error;
  if (state == ncclInProgress || communicator->called || communicator->is_finishing)
    return refuse(ncclInvalidUsage, "the call before goes on");
  return state;
}

ncclResult_t begin(ncclComm* communicator, const Call& call, const void* from, void* to,
                   std::size_t size, cudaStream_t on) {
  const ncclResult_t ready = expect_ready(communicator);
  if (ready != ncclSuccess) return ready;
  auto* const stream = reinterpret_cast<DeviceStream*>(on);
  if (!stream || stream->mark != DeviceStream::kMark)
    return refuse(ncclInvalidArgument, "the stream is none");
  if (from != to || (!to && size > 0))
    return refuse(ncclInvalidArgument, "the memory is not in place");
  communicator->looks = 0;
  communicator->called = [=] { return issue(*communicator, call, to, size, *stream); };
  return ncclInProgress;
}

std::size_t size_of(ncclDataType_t type) {
  if (type == ncclUint8) return 1;
  if (type == ncclFloat16 || type == ncclBfloat16) return 2;
  return type == ncclFloat32 ? 4 : 8;
}

void forget(ncclComm* communicator) {
  {
    const std::lock_guard lock(mutex);
    communicators.erase(communicator);
  }
  delete communicator;
}

}  // namespace

extern "C" {

ncclResult_t ncclGetVersion(int* version) {
  const char* const other = std::getenv("STAND_IN_NCCL_VERSION");
  *version = other ? std::atoi(other) : NCCL_VERSION_CODE;
  return ncclSuccess;
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  std::memset(id, 0, sizeof *id);
  const std::string path = SharedRanks::make_file();
  std::memcpy(id, path.data(), std::min(path.size(), sizeof *id - 1));
  return ncclSuccess;
}

ncclResult_t ncclCommInitRankConfig(ncclComm_t* made, int ranks, ncclUniqueId id, int rank,
                                    ncclConfig_t* config) {
  if (config->magic != 0xcafebeef || config->size != sizeof *config || config->blocking != 0)
    return refuse(ncclInvalidArgument, "the communicator would block");
  auto communicator = std::make_unique<ncclComm>();
  try {
    communicator->ranks = std::make_unique<SharedRanks>(reinterpret_cast<char*>(&id), rank, ranks);
  } catch (const std::exception& exception) {
    return refuse(ncclSystemError, exception.what());
  }
  communicator->connecting = std::thread([own = communicator.get()] {
    if (run_together(*own, [own] { own->ranks->connect(); })) own->error = ncclSuccess;
  });
  const std::lock_guard lock(mutex);
  communicators.insert(communicator.get());
  *made = communicator.release();
  return ncclInProgress;
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t communicator, ncclResult_t* state) {
  if (!is_known(communicator)) return refuse(ncclInvalidArgument, "the communicator has ended");
  *state = communicator->error;
  if (communicator->called && ++communicator->looks < 3) {
    *state = ncclInProgress;
  } else if (communicator->called) {
    *state = std::exchange(communicator->called, nullptr)();
  } else if (communicator->is_finishing && *state == ncclSuccess) {
    bool is_finished = false;
    const bool is_well = communicator->running > 0 || run_together(*communicator, [&] {
                           is_finished = communicator->ranks->finish();
                         });
    *state = !is_well ? communicator->error.load() : is_finished ? ncclSuccess : ncclInProgress;
  }
  return ncclSuccess;
}

ncclResult_t ncclAllReduce(const void* from, void* to, size_t count, ncclDataType_t type,
                           ncclRedOp_t operation, ncclComm_t communicator, cudaStream_t stream) {
  if (operation != ncclSum) return refuse(ncclInvalidArgument, "only sums");
  return begin(communicator, {Call::Kind::sum, type, count}, from, to, count * size_of(type),
               stream);
}

ncclResult_t ncclBroadcast(const void* from, void* to, size_t count, ncclDataType_t type, int root,
                           ncclComm_t communicator, cudaStream_t stream) {
  if (root != 0) return refuse(ncclInvalidArgument, "only from rank 0");
  return begin(communicator, {Call::Kind::copy, type, count}, from, to, count * size_of(type),
               stream);
}

ncclResult_t ncclCommFinalize(ncclComm_t communicator) {
  const ncclResult_t ready = expect_ready(communicator);
  if (ready != ncclSuccess) return ready;
  communicator->is_finishing = true;
  return ncclInProgress;
}

ncclResult_t ncclCommDestroy(ncclComm_t communicator) {
  if (!is_known(communicator) || !communicator->is_finishing)
    return refuse(ncclInvalidUsage, "the communicator is not finished");
  communicator->connecting.join();
  forget(communicator);
  return ncclSuccess;
}

ncclResult_t ncclCommAbort(ncclComm_t communicator) {
  if (!is_known(communicator)) return refuse(ncclInvalidArgument, "the communicator has ended");
  communicator->ranks->abort();
  communicator->connecting.join();
  while (communicator->running > 0) std::this_thread::yield();
  forget(communicator);
  return ncclSuccess;
}

const char* ncclGetLastError(ncclComm_t communicator) {
  thread_local std::string reason;
  reason = last_reason;
  if (is_known(communicator)) {
    const std::lock_guard lock(communicator->reason_mutex);
    if (!communicator->reason.empty()) reason = communicator->reason;
  }
  return reason.c_str();
}

}  // extern "C"
