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

/// Waking a thread takes about as long as adding so many bytes. Smaller sums are left to who waits.
constexpr std::size_t kLarge = 262144;
/// How often the thread looks whether it shall end.
constexpr std::chrono::milliseconds kLongestSleep{20};

}  // namespace

class SharedSums::RunningSum final : public Running {
 public:
  RunningSum(SharedSums& sums, SharedBucket& bucket) : sums_(sums), bucket_(bucket) {}
  void wait() override { sums_.wait(bucket_); }

 private:
  SharedSums& sums_;
  SharedBucket& bucket_;
};

/// Reads the tensors of other ranks where they lie. A rank reads those of its own replica.
class SharedSums::Reading final : public Gathering {
 public:
  Reading(SharedSums& sums, SharedBucket& bucket, const std::vector<plan::Range>& cut)
      : sums_(sums), bucket_(bucket), cut_(cut) {
    const auto rank = static_cast<std::size_t>(sums.neighbours_.rank());
    first_ = rank - rank % cut.size();
  }

  void wait() override {
    sums_.neighbours_.wait_until(sums_.bell(), [this] { return bucket_.is_filled(); });
  }
  at::Tensor part(std::size_t shard) const override {
    return bucket_.part(first_ + shard, cut_[shard]);
  }
  void release() override {
    if (bucket_.count(bucket_.due())) sums_.bell().ring();
  }
  void wait_for_others() override { sums_.wait(bucket_); }

 private:
  SharedSums& sums_;
  SharedBucket& bucket_;
  std::vector<plan::Range> cut_;
  std::size_t first_;  // the rank of this replica that holds the first shard
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
  const std::size_t bytes = static_cast<std::size_t>(count) * c10::elementSize(type);
  auto memory = neighbours_.extend(SharedBucket::size(ranks, bytes));
  if (!memory) return {};
  auto bucket = std::make_unique<SharedBucket>(
      std::move(memory), static_cast<std::size_t>(neighbours_.rank()), ranks, bytes, type);
  std::byte* const own = bucket->own();
  // The tensor keeps the memory, which may outlive this object.
  at::Tensor tensor = at::from_blob(
      own, {count}, [memory = bucket->memory()](void*) {}, type);
  buckets_[own] = std::move(bucket);
  return tensor;
}

SharedBucket* SharedSums::bucket_of(const at::Tensor& tensor) const {
  const auto found = buckets_.find(tensor.data_ptr());
  return found == buckets_.end() ? nullptr : found->second.get();
}

std::unique_ptr<Running> SharedSums::begin(const at::Tensor& tensor) {
  SharedBucket* const bucket = bucket_of(tensor);
  if (!bucket) return nullptr;
  bucket->begin_sum();
  return start(*bucket);
}

std::unique_ptr<Running> SharedSums::begin_into(const at::Tensor& tensor, const at::Tensor& target,
                                                const std::vector<plan::Range>& cut) {
  SharedBucket* const bucket = bucket_of(tensor);
  if (!bucket) return nullptr;
  bucket->begin_sum_into(target, cut);
  return start(*bucket);
}

std::unique_ptr<Gathering> SharedSums::begin_gather(const at::Tensor& tensor,
                                                    const std::vector<plan::Range>& cut) {
  SharedBucket* const bucket = bucket_of(tensor);
  if (!bucket) return nullptr;
  bucket->begin_reading();
  bucket->set_filled();
  bell().ring();
  return std::make_unique<Reading>(*this, *bucket, cut);
}

/// Lets this rank's chunks of an operation be claimed, and tells the others that it has begun.
std::unique_ptr<Running> SharedSums::start(SharedBucket& bucket) {
  if (bucket.has_chunks()) {
    const std::lock_guard lock(mutex_);
    unclaimed_.push_back(&bucket);
  }
  bucket.set_filled();
  bell().ring();
  if (bucket.bytes() > kLarge) {
    if (!thread_.joinable()) start_thread();
    changed_.notify_one();
  }
  return std::make_unique<RunningSum>(*this, bucket);
}

/// Adds the next chunk of this rank that all ranks have filled. Returns false if there is none.
bool SharedSums::add_chunk() {
  SharedBucket* bucket = nullptr;
  std::size_t chunk = 0;
  std::uint64_t due = 0;
  {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(unclaimed_.begin(), unclaimed_.end(),
                                    [](const SharedBucket* each) { return each->is_filled(); });
    if (found == unclaimed_.end()) return false;
    bucket = *found;
    chunk = bucket->claim();
    due = bucket->due();
    if (!bucket->has_chunks()) unclaimed_.erase(found);
  }
  const trace::Span span("adds up gradients");
  bucket->run(chunk);
  if (bucket->count(due)) bell().ring();
  return true;
}

bool SharedSums::can_add_chunk() {
  const std::lock_guard lock(mutex_);
  return std::any_of(unclaimed_.begin(), unclaimed_.end(),
                     [](const SharedBucket* each) { return each->is_filled(); });
}

void SharedSums::wait(SharedBucket& bucket) {
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
