#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/core/Stream.h>

namespace knead::engine {

/// Where this process computes: one device, the CPU until another is chosen.
at::Device device();

/// Chooses it, before the first random number and the first model.
void compute_on(at::Device chosen);

/// A tensor of host memory on the device: itself, where that is the CPU. It must not change before
/// the device has come so far.
at::Tensor on_device(const at::Tensor& tensor);

/// The order in which the device does what it is asked for; it must not be the CPU.
c10::Stream stream_of_work();

/// Waits until the device has done all that it was asked for.
void wait_for_device();

}  // namespace knead::engine
