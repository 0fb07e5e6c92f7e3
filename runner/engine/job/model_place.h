#pragma once

#include "runner/engine/model/module/model.h"

namespace knead::engine {

/// Moves all parameters and buffers of a model to the device, and waits for it. The tensor objects
/// stay the same, so that all their holders see the new memory; gradients do not move. Does nothing
/// on the CPU.
void move_to_device(const model::Model& model);

/// Moves all parameters and buffers of a model to host memory while it lives; the destructor moves
/// them back to the device. For writers that keep a tensor's device in the file. The model must not
/// be used on the device meanwhile, and must outlive this object.
class InHostMemory {
 public:
  explicit InHostMemory(const model::Model& model);
  ~InHostMemory() { move_to_device(model_); }
  InHostMemory(const InHostMemory&) = delete;
  InHostMemory& operator=(const InHostMemory&) = delete;

 private:
  const model::Model& model_;
};

}  // namespace knead::engine
