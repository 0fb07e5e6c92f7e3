#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/core/Stream.h>

namespace knead::engine {

/// Returns the device that this process computes on: the CPU until compute_on() chooses another.
at::Device device();

/// Chooses the device of this process. Must be called before the first random number and the first
/// model.
void compute_on(at::Device chosen);

/// Returns a copy of a host tensor on the device, or the tensor itself if the device is the CPU.
/// The copy may be asynchronous: the host tensor must not change before the device has made it.
at::Tensor on_device(const at::Tensor& tensor);

/// Returns the device's current stream. The device must not be the CPU.
c10::Stream stream_of_work();

/// Waits until the device has finished all work queued on it.
void wait_for_device();

}  // namespace knead::engine
