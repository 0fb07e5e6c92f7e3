#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <ATen/core/Tensor.h>

#include "runner/engine/device/generators.h"
#include "runner/engine/device/readback.h"
#include "runner/engine/model/module/model.h"

namespace knead::engine {

/// Holds an update that is made and not judged yet. It stays pending until the next update has
/// queued its passes: a GPU then computes them while the host waits for the numbers of this one.
/// Updates fills it in from part to part; a watcher sees the members of later parts empty.
struct PendingUpdate {
  /// State of the random number generators before the update.
  GeneratorState generator;
  /// Buffers and attributes before the update.
  model::Backup model;
  /// Indices into the training set of the samples of this rank, in the order of the batch.
  std::vector<std::uint64_t> samples;
  /// Sums of the loss, detached scalars on the device, one per micro-batch.
  std::vector<at::Tensor> losses{};
  /// Factor on the sums in backward, plan::sum_scale(), the same on all ranks.
  double sum_scale = 1;
  /// Σ of the loss weights over micro-batches, of all ranks from reduce on; 0 if no target counts.
  /// Gradients of the mean are those of the sums divided by it.
  double weight = 0;
  /// Σ of the loss sums over micro-batches, of all ranks from reduce on; 0 until they are read.
  double loss = 0;
  /// Norm of the mean gradient, before clipping; 0 until it is read.
  double norm = 0;
  /// Losses, then the norm, that a GPU still computes; std::nullopt if the host has read them.
  std::optional<Readback> unread{};
};

/// Names the parts of an update in their order. An update has forward and backward once for each
/// micro-batch; the other parts come once.
enum class UpdatePart { before, forward, backward, reduce, apply };

/// Measures an update between its parts: for a rehearsal, and for the work of a run's first
/// micro-batch.
class UpdateWatcher {
 public:
  virtual ~UpdateWatcher() = default;

  /// Called on the training thread when a part of an update is done; must not change what the
  /// update computes. After reduce the gradients are complete; on a GPU all of it may still be
  /// queued.
  virtual void done(UpdatePart part, const PendingUpdate& update) = 0;
};

}  // namespace knead::engine
