#include "runner/engine/job/model_place.h"

#include <ATen/core/grad_mode.h>

#include "runner/engine/device/device.h"

namespace knead::engine {
namespace {

/// Moves all parameters and buffers. Does nothing if the device of this process is the CPU.
void move(const model::Model& model, at::Device there) {
  if (device().is_cpu()) return;
  // set_data() keeps the tensor objects, which others hold, and changes their memory.
  const at::NoGradGuard no_grad;
  for (const NamedTensor& parameter : model.parameters())
    parameter.tensor.set_data(parameter.tensor.to(there));
  for (const model::Buffer& buffer : model.buffers())
    buffer.tensor.set_data(buffer.tensor.to(there));
}

}  // namespace

void move_to_device(const model::Model& model) { move(model, device()); }

InHostMemory::InHostMemory(const model::Model& model) : model_(model) { move(model, at::kCPU); }

}  // namespace knead::engine
