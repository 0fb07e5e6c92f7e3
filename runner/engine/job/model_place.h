#pragma once

#include "runner/engine/model/module/model.h"

namespace knead::engine {

/// Brings all that a model holds to the device. Its tensors stay the same ones: who has them, has
/// them there.
void move_to_device(const model::Model& model);

/// Has all that a model holds in host memory while it lives.
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
