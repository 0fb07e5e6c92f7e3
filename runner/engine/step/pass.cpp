#include "runner/engine/step/pass.h"

#include <utility>

#include <ATen/ops/full.h>

#include "runner/engine/device/autocast.h"

namespace knead::engine {

losses::Part Pass::forward(MicroBatch part) {
  const Autocast in(precision_);
  return trained_.loss_of(trained_.model->forward(std::move(part.inputs)), part.samples);
}

void Pass::backward(const at::Tensor& sum, double scale, const Backward::IsReady& is_ready) {
  // Filling a new scalar for each micro-batch would start a kernel each time on a GPU.
  if (!seed_.defined() || seed_.scalar_type() != sum.scalar_type() || seeded_ != scale)
    seed_ = at::full({}, seeded_ = scale, sum.options());
  trained_.model->backward(sum, [&] { backward_.run(sum, seed_, is_ready); });
}

void Pass::clear_gradients() {
  // Removed and not set to 0: the optimizer skips a parameter without a gradient, as torch does
  // after zero_grad(set_to_none=True).
  for (const NamedTensor& parameter : trained_.model->parameters())
    parameter.tensor.mutable_grad().reset();
}

}  // namespace knead::engine
