#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <ATen/core/Tensor.h>

#include "runner/plan/shards.h"

namespace knead::engine::parallel {

/// Holds a tensor of each rank in memory that ranks share, on which they carry out one operation
/// after the other. An operation is cut into chunks, each of which one rank carries out, after all
/// ranks have filled their tensors. SharedSums says when.
class SharedBucket {
 public:
  /// Returns the bytes of memory that a bucket needs for tensors of so many bytes.
  static std::size_t size(std::size_t ranks, std::size_t bytes);

  /// Takes memory of that size, of zeros, which other ranks take too.
  SharedBucket(std::shared_ptr<std::byte> memory, std::size_t rank, std::size_t ranks,
               std::size_t bytes, at::ScalarType type);

  /// Returns the memory of this rank's tensor.
  std::byte* own() const { return tensors_[rank_]; }
  const std::shared_ptr<std::byte>& memory() const { return memory_; }
  std::size_t bytes() const { return bytes_; }

  // --- operations: all ranks begin the same ------------------------------------------------------

  /// Begins to replace the tensors of all ranks by their sum.
  void begin_sum();
  /// Begins to add, to a flat tensor of each rank, the sum over ranks of the numbers in the range
  /// of its shard. The tensors stay as they are.
  void begin_sum_into(const at::Tensor& target, const std::vector<plan::Range>& cut);
  /// Begins to let other ranks read this rank's tensor.
  void begin_reading();

  /// Tells the other ranks that this rank's tensor is filled for the operation.
  void set_filled();
  /// Returns whether all ranks have filled their tensors for the operation.
  bool is_filled() const;
  /// Returns whether all chunks of the operation are carried out, or all ranks have read.
  bool is_done() const;

  /// Returns whether this rank has chunks that nobody has claimed.
  bool has_chunks() const { return next_ < chunks_; }
  /// Claims a chunk. has_chunks() must be true.
  std::size_t claim() { return next_++; }
  /// Carries out a chunk; is_filled() must be true. Any thread may.
  void run(std::size_t chunk) const;
  /// Counts a chunk as carried out, or the tensors as read. Returns whether that was the last thing
  /// that the operation needs of this rank; `due` is what due() returned before.
  bool count(std::uint64_t due) { return ++controls_[rank_].counted == due; }
  /// Returns how much this rank will have counted at the end of the operation.
  std::uint64_t due() const { return due_[rank_]; }

  /// Returns the numbers of a range in the tensor of a rank.
  at::Tensor part(std::size_t rank, const plan::Range& range) const;

 private:
  /// Lies in the shared memory, for each rank.
  struct Control {
    alignas(64) std::atomic<std::uint64_t> filled;   // the last operation the tensor is filled for
    alignas(64) std::atomic<std::uint64_t> counted;  // see count(), of all operations
  };

  void begin(std::size_t chunks);
  std::size_t chunks_of_sum(std::size_t rank) const;
  std::size_t chunks_of_range(const plan::Range& range) const;
  std::size_t element_size() const { return c10::elementSize(type_); }

  std::shared_ptr<std::byte> memory_;
  Control* controls_;                // by rank, in the memory
  std::vector<std::byte*> tensors_;  // by rank, in the memory
  std::size_t rank_;
  at::ScalarType type_;
  std::size_t bytes_;  // of a tensor
  std::size_t chunk_;  // bytes of a chunk of a sum; the last may be smaller

  std::uint64_t operation_ = 0;     // counted from 1
  std::vector<std::uint64_t> due_;  // by rank, at the end of the operation
  std::size_t next_ = 0;            // chunk for this rank to claim
  std::size_t chunks_ = 0;          // of this rank in the operation
  at::Tensor target_;               // undefined: the tensors are replaced by their sum
  std::size_t begin_ = 0;           // bytes before the range that is added to the target
};

}  // namespace knead::engine::parallel
