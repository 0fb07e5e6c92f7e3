#include "runner/engine/device/device.h"

#include <ATen/DeviceAccelerator.h>

namespace knead::engine {
namespace {

// Written once, before anything is computed, and read without a lock.
at::Device chosen_device = at::kCPU;

}  // namespace

at::Device device() { return chosen_device; }

void compute_on(at::Device chosen) { chosen_device = chosen; }

at::Tensor on_device(const at::Tensor& tensor) {
  if (device().is_cpu()) return tensor;
  return tensor.to(tensor.options().device(device()), /*non_blocking=*/true);
}

c10::Stream stream_of_work() { return at::accelerator::getCurrentStream(device().index()); }

void wait_for_device() {
  if (!device().is_cpu()) at::accelerator::synchronizeDevice(device().index());
}

}  // namespace knead::engine
