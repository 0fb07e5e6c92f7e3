#pragma once

#include <vector>

#include "runner/engine/job/job.h"
#include "runner/engine/step/pending_update.h"
#include "runner/track/histogram.h"

namespace knead::engine {

/// Collects histograms of a model's parameters and of their gradients, for sinks that ask for them
/// (`track.to: [{type: tensorboard, histograms: true}]`). Changes nothing in training. A rank that
/// has only a part of the parameters collects none.
class ValueHistograms {
 public:
  /// Borrows the job.
  explicit ValueHistograms(const Job& job);

  /// Returns whether anybody asks for them.
  bool are_wanted() const { return are_wanted_; }

  /// Takes the gradients of an update when they are complete (UpdatePart::reduce), before the next
  /// evaluation. `loss_scale` is the factor of fp16 on the loss. Waits for the device. Without
  /// targets there are none.
  void take_gradients(const PendingUpdate& update, double loss_scale);

  /// Returns the histograms of the parameters as they are now and of the gradients that were taken
  /// since the last call, which are those of mean losses, before clipping.
  track::Histograms take(std::uint64_t step);

 private:
  const Job& job_;
  bool are_wanted_;
  std::vector<track::Histogram> gradients_;
};

}  // namespace knead::engine
