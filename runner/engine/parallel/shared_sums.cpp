#include "runner/engine/parallel/shared_sums.h"

#include <algorithm>

#include <omp.h>

#include <ATen/Parallel.h>
#include <ATen/ops/from_blob.h>

#include "runner/engine/parallel/add_up.h"
#include "runner/trace/watch.h"
#include "runner/trace/worker_thread.h"

namespace knead::engine::parallel {
namespace {

/// The most bytes of a chunk: those of two ranks fit into the cache of a core.
constexpr std::size_t kChunk = 262144;
/// Chunks begin at cache lines.
constexpr std::size_t kLine = 64;
/// Waking a thread takes about as long as adding so many bytes. Smaller sums are left to who waits.
constexpr std::size_t kLarge = 262144;
/// How often the thread looks whether it shall end.
constexpr std::chrono::milliseconds kLongestSleep{20};

std::size_t round_up(std::size_t number, std::size_t multiple) {
  return (number + multiple - 1) / multiple * multiple;
}

}  // namespace

/// A tensor that ranks add up, again and again. A sum has a number, counted from 1.
struct SharedSums::Bucket {
  /// Lies in the shared memory, for each rank.
  struct Control {
    alignas(64) std::atomic<std::uint64_t> filled;  // the last sum for which the tensor is filled
    alignas(64) std::atomic<std::uint64_t> added;   // chunks that the rank has added, of all sums
  };

  std::shared_ptr<std::byte> memory;
  Control* controls = nullptr;      // by rank, in the memory
  std::vector<std::byte*> tensors;  // by rank, in the memory
  at::ScalarType type;
  std::size_t bytes = 0;  // of a tensor
  std::size_t chunk = 0;  // bytes of a chunk; the last may be smaller
  std::size_t next = 0;   // the next chunk for this rank to claim
  std::uint64_t sum = 0;  // the number of the present sum

  std::size_t ranks() const { return tensors.size(); }

  /// Returns how many chunks a rank adds for a sum: those whose numbers modulo the ranks are its.
  std::uint64_t chunks_of(std::size_t rank) const {
    const std::size_t chunks = (bytes + chunk - 1) / chunk;
    return (chunks + ranks() - 1 - rank) / ranks();
  }

  bool is_filled() const {
    return std::all_of(controls, controls + ranks(), [this](const Control& control) {
      return control.filled.load(std::memory_order_acquire) >= sum;
    });
  }

  bool is_done() const {
    for (std::size_t rank = 0; rank < ranks(); ++rank)
      if (controls[rank].added.load(std::memory_order_acquire) < sum * chunks_of(rank))
        return false;
    return true;
  }

  void add(std::size_t number) const {
    add_up(type, tensors, number * chunk, std::min((number + 1) * chunk, bytes));
  }
};

class SharedSums::RunningSum final : public Running {
 public:
  RunningSum(SharedSums& sums, Bucket& bucket) : sums_(sums), bucket_(bucket) {}
  void wait() override { sums_.wait(bucket_); }

 private:
  SharedSums& sums_;
  Bucket& bucket_;
};

SharedSums::SharedSums(Neighbours& neighbours)
    : neighbours_(neighbours), bell_memory_(neighbours.extend(sizeof(Bell))) {}

SharedSums::~SharedSums() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_ended_ = true;
  }
  changed_.notify_all();
  bell().ring();
  thread_.join();
}

Bell& SharedSums::bell() const { return *reinterpret_cast<Bell*>(bell_memory_.get()); }

at::Tensor SharedSums::make(std::int64_t count, at::ScalarType type) {
  if (!bell_memory_ || !can_add_up(type) || count == 0) return {};
  const auto ranks = static_cast<std::size_t>(neighbours_.ranks());
  auto bucket = std::make_unique<Bucket>();
  bucket->type = type;
  bucket->bytes = static_cast<std::size_t>(count) * c10::elementSize(type);
  // As many chunks for each rank, if there are several.
  const std::size_t chunks = round_up((bucket->bytes + kChunk - 1) / kChunk, ranks);
  bucket->chunk = round_up((bucket->bytes + chunks - 1) / chunks, kLine);
  const std::size_t size = round_up(bucket->bytes, kLine);
  const std::size_t begin = ranks * sizeof(Bucket::Control);
  bucket->memory = neighbours_.extend(begin + ranks * size);
  if (!bucket->memory) return {};
  std::byte* const memory = bucket->memory.get();
  bucket->controls = reinterpret_cast<Bucket::Control*>(memory);
  for (std::size_t rank = 0; rank < ranks; ++rank)
    bucket->tensors.push_back(memory + begin + rank * size);
  std::byte* const own = bucket->tensors[static_cast<std::size_t>(neighbours_.rank())];
  // The tensor keeps the memory, which may outlive this object.
  at::Tensor tensor = at::from_blob(
      own, {count}, [memory = bucket->memory](void*) {}, type);
  buckets_[own] = std::move(bucket);
  return tensor;
}

std::unique_ptr<Running> SharedSums::begin(const at::Tensor& tensor) {
  const auto found = buckets_.find(tensor.data_ptr());
  if (found == buckets_.end()) return nullptr;
  Bucket& bucket = *found->second;
  const auto rank = static_cast<std::size_t>(neighbours_.rank());
  {
    const std::lock_guard lock(mutex_);
    ++bucket.sum;
    bucket.next = rank;
    if (bucket.chunks_of(rank) > 0) unclaimed_.push_back(&bucket);
  }
  bucket.controls[rank].filled.store(bucket.sum, std::memory_order_release);
  bell().ring();
  if (bucket.bytes > kLarge) {
    if (!thread_.joinable()) start_thread();
    changed_.notify_one();
  }
  return std::make_unique<RunningSum>(*this, bucket);
}

/// Adds the next chunk of this rank that all ranks have filled. Returns false if there is none.
bool SharedSums::add_chunk() {
  Bucket* bucket = nullptr;
  std::size_t chunk = 0;
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(unclaimed_.begin(), unclaimed_.end(),
                                    [](const Bucket* each) { return each->is_filled(); });
    if (found == unclaimed_.end()) return false;
    bucket = *found;
    chunk = bucket->next;
    bucket->next += bucket->ranks();
    if (bucket->next * bucket->chunk >= bucket->bytes) unclaimed_.erase(found);
  }
  const trace::Span span("adds up gradients");
  bucket->add(chunk);
  const auto rank = static_cast<std::size_t>(neighbours_.rank());
  const std::uint64_t added = ++bucket->controls[rank].added;
  if (added % bucket->chunks_of(rank) == 0) bell().ring();
  return true;
}

bool SharedSums::can_add_chunk() {
  const std::lock_guard lock(mutex_);
  return std::any_of(unclaimed_.begin(), unclaimed_.end(),
                     [](const Bucket* each) { return each->is_filled(); });
}

void SharedSums::wait(Bucket& bucket) {
  const auto set_waiting = [this](bool is_waiting) {
    const std::lock_guard lock(mutex_);
    is_waiting_ = is_waiting;
  };
  set_waiting(true);
  while (!bucket.is_done()) {
    if (add_chunk()) continue;
    neighbours_.wait_until(bell(), [&] { return bucket.is_done() || can_add_chunk(); });
  }
  set_waiting(false);
}

// --- the thread ----------------------------------------------------------------------------------

void SharedSums::start_thread() {
  thread_ = trace::start_thread("sums over ranks", [this] { work(); });
}

/// Adds chunks as they are filled. Sleeps while there are none, or who waits for a sum adds them.
void SharedSums::work() {
  // LibTorch would start threads of its own for this one, beside those of the rank.
  at::init_num_threads();
  omp_set_num_threads(1);
  std::unique_lock lock(mutex_);
  while (!is_ended_) {
    lock.unlock();
    const std::uint32_t count = bell().count();
    const bool is_added = add_chunk();
    lock.lock();
    if (is_added || is_ended_) continue;
    if (unclaimed_.empty() || is_waiting_) {
      changed_.wait(lock);
    } else {
      lock.unlock();
      bell().sleep(count, kLongestSleep);
      lock.lock();
    }
  }
}

}  // namespace knead::engine::parallel
