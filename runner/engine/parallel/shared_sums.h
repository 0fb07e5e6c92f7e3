#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

#include <ATen/core/Tensor.h>

#include "runner/engine/parallel/collectives.h"
#include "runner/engine/parallel/neighbours.h"
#include "runner/engine/parallel/shared_bucket.h"

namespace knead::engine::parallel {

/// Adds up tensors that lie in the shared memory of ranks, and lets ranks read those of others. A
/// tensor is cut into chunks, which the
/// ranks divide among them: a rank adds a chunk of all ranks, and writes the sum to all of them. So
/// it does not depend on which rank comes first, and all ranks get the same bits.
///
/// A thread of its own adds while the rank computes; who waits for a sum helps. Used by one thread.
class SharedSums {
 public:
  /// Borrows the neighbours. All ranks must call it.
  explicit SharedSums(Neighbours& neighbours);
  ~SharedSums();
  SharedSums(const SharedSums&) = delete;
  SharedSums& operator=(const SharedSums&) = delete;

  /// Makes a flat tensor that begin() takes, of zeros. All ranks must call it, with the same
  /// arguments. The result is undefined, on all ranks, if there is no shared memory for it or
  /// add_up() does not know its dtype.
  at::Tensor make(std::int64_t count, at::ScalarType type);

  /// Returns whether make() has made a tensor.
  bool has_made(const at::Tensor& tensor) const { return bucket_of(tensor) != nullptr; }

  /// Begins to replace a tensor by its sum over ranks. Returns null if make() has not made it. The
  /// tensor must not be used until the sum was waited for.
  std::unique_ptr<Running> begin(const at::Tensor& tensor);

  /// Begins to add, to a tensor of each rank, the sum over ranks of the range of its shard. Returns
  /// null if make() has not made the tensor, which must not be changed until the sum was waited
  /// for.
  std::unique_ptr<Running> begin_into(const at::Tensor& tensor, const at::Tensor& target,
                                      const std::vector<plan::Range>& cut);

  /// Begins to let ranks read the ranges of the others. Returns null if make() has not made the
  /// tensor, which must not be changed until all ranks have read.
  std::unique_ptr<Gathering> begin_gather(const at::Tensor& tensor,
                                          const std::vector<plan::Range>& cut);

 private:
  class RunningSum;
  class Reading;

  SharedBucket* bucket_of(const at::Tensor& tensor) const;
  std::unique_ptr<Running> start(SharedBucket& bucket);
  Bell& bell() const;
  void wait(SharedBucket& bucket);
  bool add_chunk();
  bool can_add_chunk();
  void work();
  void start_thread();

  Neighbours& neighbours_;
  std::shared_ptr<std::byte> bell_memory_;  // null if no memory can be shared
  // The buckets by the memory of their tensors.
  std::unordered_map<const void*, std::unique_ptr<SharedBucket>> buckets_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<SharedBucket*>
      unclaimed_;            // have chunks for this rank to add; with mutex_, as what follows
  bool is_waiting_ = false;  // the rank waits for a sum, and helps
  bool is_ended_ = false;

  std::thread thread_;  // from the first large sum on
};

}  // namespace knead::engine::parallel
