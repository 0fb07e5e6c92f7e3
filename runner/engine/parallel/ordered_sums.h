#pragma once

#include <functional>
#include <future>
#include <memory>
#include <vector>

#include <ATen/core/Tensor.h>
#include <torch/csrc/distributed/c10d/Backend.hpp>

#include "runner/plan/shards.h"

namespace knead::engine::parallel {

/// Adds up tensors of ranks on several machines in the order of the ranks, as those of one machine
/// are added up in the memory that they share: the bits do not depend on where ranks run. Each rank
/// receives its part of the tensors of all, adds it up and sends the sum to all, which takes as
/// many bytes as any other way.
///
/// A thread of its own carries out one operation after the other.
class OrderedSums {
 public:
  /// Takes a group that nobody else uses.
  explicit OrderedSums(c10::intrusive_ptr<c10d::Backend> group);
  /// Does not wait for a sum that has not ended.
  ~OrderedSums();
  OrderedSums(const OrderedSums&) = delete;
  OrderedSums& operator=(const OrderedSums&) = delete;

  /// Begins to replace a contiguous tensor in host memory by its sum over ranks. The future ends
  /// when the tensor holds the sum, or with what LibTorch and Gloo have thrown.
  std::future<void> begin(const at::Tensor& tensor);

  /// Begins to add to `target` the sum over ranks of the range of this rank's shard; see
  /// Collectives::begin_sum_into(). The future ends as that of begin().
  std::future<void> begin_into(const at::Tensor& tensor, const at::Tensor& target,
                               const std::vector<plan::Range>& cut);

  /// Begins to overwrite the ranges of other shards by theirs; see Collectives::begin_gather().
  std::future<void> begin_gather(const at::Tensor& tensor, const std::vector<plan::Range>& cut);

 private:
  struct Queue;

  std::future<void> begin(std::function<void(c10d::Backend&)> operation);

  static void work(const std::shared_ptr<Queue>& queue);

  std::shared_ptr<Queue> queue_;  // shared with the thread, which may outlive this object
};

}  // namespace knead::engine::parallel
