#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <ATen/core/Tensor.h>

#include "runner/plan/shards.h"

namespace knead::engine::parallel {

/// Returns the numbers of a range of a flat tensor, as a view.
inline at::Tensor part_of(const at::Tensor& numbers, const plan::Range& range) {
  return numbers.narrow(0, static_cast<std::int64_t>(range.begin),
                        static_cast<std::int64_t>(range.size()));
}

/// An operation over ranks that goes on in the background. Holds its tensors.
class Running {
 public:
  virtual ~Running() = default;
  /// Waits until the tensor holds the result. Throws as the operations of Collectives.
  virtual void wait() = 0;
};

/// Gives a rank the numbers that the other ranks of its replica hold. Holds its tensor.
class Gathering {
 public:
  virtual ~Gathering() = default;
  /// Waits until part() can be read. Throws as the operations of Collectives.
  virtual void wait() = 0;
  /// Returns the numbers of a shard, flat. They must not be changed.
  virtual at::Tensor part(std::size_t shard) const = 0;
  /// Tells the other ranks that this one has read what it needs.
  virtual void release() {}
  /// Waits until all ranks have called release(); the tensor may be written again then.
  virtual void wait_for_others() {}
};

/// Carries tensors between the ranks of a group: the seam between the group and a library. Every
/// rank must call the same operations in the same order, with tensors of the same size and dtype.
/// Tensors are contiguous and in the memory that the library works on. Used by one thread.
///
/// An operation throws knead::Error (Exit::lost_another, Exit::rank_lost) if another rank ended or
/// did not answer within the timeout. The object cannot be used after that.
class Collectives {
 public:
  virtual ~Collectives() = default;

  /// Begins to replace a tensor by its sum over ranks. All ranks get the same bits. The tensor must
  /// not be used before wait().
  virtual std::unique_ptr<Running> begin_sum(const at::Tensor& tensor) = 0;

  /// Begins to add, to a flat tensor of each rank, the sum over ranks of a part of theirs: rank r
  /// holds shard r modulo the shards, whose range of `tensor` is added to `target`. The ranges
  /// `cut` follow one another, one for each shard. `tensor` must not be used before wait().
  virtual std::unique_ptr<Running> begin_sum_into(const at::Tensor& tensor,
                                                  const at::Tensor& target,
                                                  const std::vector<plan::Range>& cut) = 0;

  /// Begins to give each rank the ranges of all shards, which the ranks of its replica hold: the
  /// replica of rank r has the ranks with the same quotient of r by the shards.
  virtual std::unique_ptr<Gathering> begin_gather(const at::Tensor& tensor,
                                                  const std::vector<plan::Range>& cut) = 0;

  /// Overwrites a tensor by that of rank 0.
  virtual void copy_from_first(const at::Tensor& tensor) = 0;
};

}  // namespace knead::engine::parallel
