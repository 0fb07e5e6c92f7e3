#pragma once

#include <cstdint>

#include "runner/engine/model/operators/operator_work.h"
#include "runner/engine/step/pending_update.h"

namespace knead::engine {

/// Measures the work of the first micro-batch of an update between its parts. Done with that, it
/// does not change any more.
class PassWork {
 public:
  /// `micro` is the number of samples in a micro-batch. Borrows the count.
  PassWork(const WorkCount& count, std::uint64_t micro) : count_(count), micro_(micro) {}

  /// Takes what an UpdateWatcher is told.
  void done(UpdatePart part, const PendingUpdate& update);

  /// Returns whether forward and backward are measured.
  bool is_complete() const { return is_complete_; }
  /// Returns the samples of the micro-batch, the divisor of all work per sample.
  std::uint64_t samples() const { return samples_; }
  /// Returns the multiplications and additions of forward and the loss.
  double forward() const { return forward_; }
  /// Returns the multiplications and additions of backward that this thread has done, forward of
  /// activation checkpointing included.
  double backward() const { return backward_; }

 private:
  const WorkCount& count_;
  std::uint64_t micro_;
  bool is_complete_ = false;
  std::uint64_t samples_ = 0;
  double before_ = 0;
  double forward_ = 0;
  double backward_ = 0;
};

}  // namespace knead::engine
