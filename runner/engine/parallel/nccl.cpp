#include "runner/engine/parallel/nccl.h"

#include <chrono>
#include <cstdlib>
#include <exception>
#include <thread>
#include <utility>

#include <c10/core/Event.h>
#include <fmt/format.h>

#include "runner/engine/device/device.h"
#include "runner/engine/parallel/gathering_in.h"
#include "runner/engine/parallel/group.h"
#include "runner/engine/parallel/lost_rank.h"
#include "schema/document/error.h"

namespace knead::engine::parallel {
namespace {

using cuda::NcclResult;
using cuda::NcclType;
using Clock = std::chrono::steady_clock;

/// Bounds how long the last operation of another rank may take to end, in seconds.
constexpr double kGrace = 5;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Gives the processor away between two looks: for a moment only while a bucket is mostly reduced,
/// and longer later, because other processes of this machine may compute.
void pause(double waited) {
  if (waited < 0.001) return std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::microseconds(50));
}

NcclType type_of(const at::Tensor& tensor) {
  switch (tensor.scalar_type()) {
    case at::kHalf: return NcclType::half;
    case at::kBFloat16: return NcclType::bfloat16;
    case at::kFloat: return NcclType::float32;
    case at::kDouble: return NcclType::float64;
    default:
      throw Error(fmt::format("NCCL does not add numbers of the type {}",
                              c10::toString(tensor.scalar_type())),
                  "write distributed.backend: gloo");
  }
}

c10::Stream new_stream() {
  return c10::impl::VirtualGuardImpl(device().type()).getNewStream(device(), /*priority=*/-1);
}

}  // namespace

class Nccl::Operation final : public Running {
 public:
  Operation(Nccl& nccl, at::Tensor tensor)
      : nccl_(nccl), tensor_(std::move(tensor)), complete_(device().type()) {}

  /// Marks the end of what is queued on the stream so far.
  void record(const c10::Stream& stream) { complete_.record(stream); }

  void wait() override {
    nccl_.wait_until([&] { return complete_.query(); });
    --nccl_.running_;
  }

 private:
  Nccl& nccl_;
  at::Tensor tensor_;  // keeps its memory
  c10::Event complete_;
};

/// A sum of whole tensors, of which a range is added to another tensor.
class Nccl::SumInto final : public Running {
 public:
  SumInto(std::unique_ptr<Running> sum, at::Tensor part, at::Tensor target)
      : sum_(std::move(sum)), part_(std::move(part)), target_(std::move(target)) {}

  void wait() override {
    sum_->wait();
    target_.add_(part_);
  }

 private:
  std::unique_ptr<Running> sum_;
  at::Tensor part_, target_;
};

/// Several operations that go on at once.
class Nccl::Operations final : public Running {
 public:
  void add(std::unique_ptr<Running> operation) { operations_.push_back(std::move(operation)); }
  void wait() override {
    for (const auto& operation : operations_) operation->wait();
  }

 private:
  std::vector<std::unique_ptr<Running>> operations_;
};

Nccl::Nccl(const Membership& membership,
           const std::function<std::string(const std::string&)>& of_first)
    : nccl_(*membership.nccl),
      rank_(membership.rank),
      timeout_(membership.timeout),
      stream_(new_stream()) {
  if (membership.local_ranks == membership.ranks)
    setenv("NCCL_SOCKET_IFNAME", "lo", /*overwrite=*/0);
  std::string id(cuda::kNcclIdSize, '\0');
  if (rank_ == 0) expect(nccl_.make_id(id.data()));
  id = of_first(id);
  expect(nccl_.connect(&communicator_, membership.ranks, id.data(), rank_));
  try {
    wait_for_state();
  } catch (...) {
    abort();  // there is no destructor yet
    throw;
  }
}

Nccl::~Nccl() {
  if (!communicator_) return;
  // A rank that ends early would free memory that the last operation of another still reads.
  if (running_ == 0 && std::uncaught_exceptions() == 0 && is_finished())
    nccl_.destroy(std::exchange(communicator_, nullptr));
  else
    abort();
}

std::unique_ptr<Running> Nccl::begin_sum(const at::Tensor& tensor) {
  const NcclType type = type_of(tensor);
  return begin(tensor, [&](void* stream) {
    return nccl_.sum(communicator_, tensor.mutable_data_ptr(),
                     static_cast<std::size_t>(tensor.numel()), type, stream);
  });
}

std::unique_ptr<Running> Nccl::begin_sum_into(const at::Tensor& tensor, const at::Tensor& target,
                                              const std::vector<plan::Range>& cut) {
  const plan::Range& own = cut[static_cast<std::size_t>(rank_) % cut.size()];
  return std::make_unique<SumInto>(begin_sum(tensor), part_of(tensor, own), target);
}

std::unique_ptr<Gathering> Nccl::begin_gather(const at::Tensor& tensor,
                                              const std::vector<plan::Range>& cut) {
  auto copies = std::make_unique<Operations>();
  // All replicas hold the same numbers, so those of the first are sent to all ranks.
  for (std::size_t shard = 0; shard < cut.size(); ++shard)
    copies->add(begin_copy(part_of(tensor, cut[shard]), static_cast<int>(shard)));
  return std::make_unique<GatheringIn>(tensor, cut, std::move(copies));
}

void Nccl::copy_from_first(const at::Tensor& tensor) { begin_copy(tensor, 0)->wait(); }

/// Begins to overwrite a tensor by that of a rank.
std::unique_ptr<Running> Nccl::begin_copy(const at::Tensor& tensor, int from) {
  return begin(tensor, [&](void* stream) {
    return nccl_.copy_from(communicator_, from, tensor.mutable_data_ptr(), tensor.nbytes(), stream);
  });
}

/// Queues an operation behind all work that the device has been given so far.
std::unique_ptr<Nccl::Operation> Nccl::begin(const at::Tensor& tensor,
                                             const std::function<NcclResult(void*)>& queue) {
  if (!communicator_) throw lost_connection(rank_);
  auto operation = std::make_unique<Operation>(*this, tensor);
  c10::Event work(device().type());
  work.record(stream_of_work());
  work.block(stream_);
  expect(queue(stream_.native_handle()));
  ++running_;
  // Only then is the operation on the stream, which the first ones take a while for.
  wait_for_state();
  operation->record(stream_);
  return operation;
}

/// Throws if a call of NCCL did not go well. A call that goes on in the background did.
void Nccl::expect(NcclResult result) {
  if (result == NcclResult::done || result == NcclResult::in_progress) return;
  const std::string reason = nccl_.reason(communicator_);
  abort();
  if (result == NcclResult::rank_lost) throw lost_connection(rank_);
  throw Error(fmt::format("NCCL failed on rank {}: {}", rank_, reason),
              "NCCL_DEBUG=INFO in the environment shows more; distributed.backend: gloo does "
              "without NCCL");
}

/// Waits until no call goes on in the background.
void Nccl::wait_for_state() {
  wait_until([&] {
    const NcclResult state = nccl_.state(communicator_);
    expect(state);
    return state == NcclResult::done;
  });
}

void Nccl::wait_until(const std::function<bool()>& is_done) {
  const Clock::time_point begin = Clock::now();
  while (!is_done()) {
    if (!communicator_) throw lost_connection(rank_);
    expect(nccl_.state(communicator_));
    const double waited = seconds_since(begin);
    if (waited > timeout_) {
      abort();
      throw waited_too_long(rank_, timeout_);
    }
    pause(waited);
  }
}

/// Ends the communicator together with the other ranks. Returns whether they have ended too.
bool Nccl::is_finished() {
  NcclResult state = nccl_.finish(communicator_);
  for (const Clock::time_point begin = Clock::now();
       state == NcclResult::in_progress && seconds_since(begin) < kGrace; pause(1))
    state = nccl_.state(communicator_);
  return state == NcclResult::done;
}

void Nccl::abort() {
  if (communicator_) nccl_.abort(std::exchange(communicator_, nullptr));
}

}  // namespace knead::engine::parallel
