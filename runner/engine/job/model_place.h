#pragma once

#include "runner/engine/model/module/model.h"

namespace knead::engine {

/// Moves all parameters and buffers of a model to the device. The tensor objects stay the same, so
/// that all their holders see the new memory.
void move_to_device(const model::Model& model);

/// Moves all parameters and buffers of a model to host memory while it lives; the destructor moves
/// them back to the device.
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
