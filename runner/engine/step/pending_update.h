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
struct PendingUpdate {
  GeneratorState generator;            // before the update
  model::Backup model;                 // buffers and attributes before the update
  std::vector<std::uint64_t> samples;  // indices into the training set
  std::vector<at::Tensor> losses{};    // sums, one per micro-batch
  double sum_scale = 1;                // plan::sum_scale()
  double weight = 0;                   // Σ over micro-batches
  double loss = 0;                     // Σ over micro-batches
  double norm = 0;                     // of the gradients, before clipping
  std::optional<Readback> unread{};    // losses and norm that a GPU still computes
};

/// Names the parts of an update in their order. An update has forward and backward once for each
/// micro-batch.
enum class UpdatePart { before, forward, backward, reduce, apply };

/// Measures an update between its parts, for a rehearsal. A run has none.
class UpdateWatcher {
 public:
  virtual ~UpdateWatcher() = default;

  /// Called when a part of an update is done; must not change what the update computes.
  virtual void done(UpdatePart part, const PendingUpdate& update) = 0;
};

}  // namespace knead::engine
