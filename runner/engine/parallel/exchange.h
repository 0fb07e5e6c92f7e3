#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include <ATen/core/Tensor.h>

#include "runner/engine/parallel/group.h"

namespace knead::engine::parallel {

/// A flat tensor through which ranks exchange numbers, in one operation after the other. All ranks
/// must make it and begin the same operations, in the same order.
class Exchange {
 public:
  /// Receives the numbers of a shard, flat; they must not be changed.
  using See = std::function<void(std::size_t shard, const at::Tensor& part)>;

  /// Makes a tensor of zeros, in memory that ranks of one machine share. Borrows the group.
  Exchange(std::int64_t count, const at::TensorOptions& options, Group& group);

  /// Returns the tensor to be written. Waits until the last operation is over on all ranks.
  const at::Tensor& numbers();

  /// Begins to add, to `target`, the sum over ranks of the range of this rank's shard.
  void begin_sum_into(const at::Tensor& target, const std::vector<plan::Range>& cut);

  /// Returns whether the tensor lies in memory that ranks share: they read it there.
  bool is_shared() const { return group_.is_shared(numbers_); }

  /// Begins to read the ranges of other shards, which their ranks have written. They must follow
  /// one another, unless the tensor is shared.
  void begin_gather(const std::vector<plan::Range>& cut);

  /// Waits for begin_gather() and shows the numbers of each shard, this rank's own too.
  void read(const See& see);

  /// Waits until the last operation is over on all ranks.
  void finish();

 private:
  Group& group_;
  at::Tensor numbers_;
  Group::Sum sum_;
  std::unique_ptr<Gathering> gathering_;
  std::size_t shards_ = 0;  // of the gathering
};

/// Holds some exchanges for each dtype, so that several operations go on at once in bounded
/// memory. Ranks that begin the same operations get the same exchanges.
class Exchanges {
 public:
  /// Makes `at_once` exchanges for at most `count` numbers of each of the dtypes. Borrows the
  /// group. All ranks must call it, with the same arguments.
  Exchanges(const std::map<at::ScalarType, std::int64_t>& counts, std::size_t at_once,
            const at::Device& device, Group& group);

  /// Returns the exchange whose last operation is the oldest.
  Exchange& next(at::ScalarType type);

  /// Waits until all operations are over on all ranks.
  void finish();

 private:
  struct Ring {
    std::vector<std::unique_ptr<Exchange>> exchanges;
    std::size_t next = 0;
  };
  std::map<at::ScalarType, Ring> rings_;
};

}  // namespace knead::engine::parallel
