#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "runner/engine/parallel/collectives.h"

namespace knead::engine::parallel {

/// Gives the numbers of other ranks after an operation has written them into the tensor itself.
class GatheringIn final : public Gathering {
 public:
  /// `running` writes the numbers.
  GatheringIn(at::Tensor tensor, std::vector<plan::Range> cut, std::unique_ptr<Running> running)
      : tensor_(std::move(tensor)), cut_(std::move(cut)), running_(std::move(running)) {}

  void wait() override { running_->wait(); }

  at::Tensor part(std::size_t shard) const override { return part_of(tensor_, cut_[shard]); }

 private:
  at::Tensor tensor_;
  std::vector<plan::Range> cut_;
  std::unique_ptr<Running> running_;
};

}  // namespace knead::engine::parallel
