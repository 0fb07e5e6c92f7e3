#include "runner/engine/device/readback.h"

#include <ATen/ops/empty.h>

#include "runner/engine/device/device.h"

namespace knead::engine {

// Only a copy into pinned memory does not block the host.
Readback::Readback(const at::Tensor& numbers)
    : here_(at::empty(numbers.sizes(),
                      at::TensorOptions(at::kDouble).pinned_memory(device().is_cuda()))),
      arrived_(device().type()) {
  here_.copy_(numbers, /*non_blocking=*/true);
  // An event, because waiting for the stream would include work that is queued later.
  arrived_.record(stream_of_work());
}

std::span<const double> Readback::wait() const {
  arrived_.synchronize();
  return {here_.const_data_ptr<double>(), static_cast<std::size_t>(here_.numel())};
}

}  // namespace knead::engine
