#pragma once

#include <memory>
#include <optional>

#include "runner/engine/job/job.h"
#include "runner/engine/step/pass_work.h"

namespace knead::engine {

/// Tells what part of the devices' peak a run reaches, by the work of its first micro-batch, which
/// is counted as `knead plan` counts it. Where backward runs on a thread of the GPU, which is not
/// counted, or runs forward a second time, which is no work of the model, backward is taken as
/// twice forward.
class Utilization {
 public:
  /// Begins to count the operations of this thread if the peak is known: that of
  /// `track.device_peak`, or that of a well-known GPU.
  explicit Utilization(const Job& job);

  /// Takes what an UpdateWatcher is told.
  void done(UpdatePart part, const PendingUpdate& update);

  /// Returns the share, 0 … 1, of the peak of all ranks that so many samples per second take; 0 if
  /// the peak or the work is not known.
  double of(double samples_per_second) const;

 private:
  double peak_;  // operations per second of the devices of all ranks; 0 if not known
  bool counts_backward_;
  std::unique_ptr<WorkCount> count_;  // until the first micro-batch is done
  std::optional<PassWork> passes_;
  double work_of_sample_ = 0;
};

}  // namespace knead::engine
