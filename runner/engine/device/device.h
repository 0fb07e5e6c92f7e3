#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/core/Stream.h>

namespace knead::engine {

/// Returns the device that this process computes on: the CPU until compute_on() chooses another. A
/// process has one device, so that no function needs it as an argument.
at::Device device();

/// Chooses the device of this process. Must be called before the first random number and the first
/// model. Does not check that the device exists: start_torch() does. Not thread-safe.
void compute_on(at::Device chosen);

/// Returns a copy of a host tensor on the device, or the tensor itself if the device is the CPU.
/// The copy may be asynchronous: a host tensor in pinned memory must not change before the device
/// has made it.
at::Tensor on_device(const at::Tensor& tensor);

/// Returns the device's current stream. The device must not be the CPU.
c10::Stream stream_of_work();

/// Blocks until the device has finished all work queued on it; returns at once on the CPU. Needed
/// before a clock is read or a trace ends, not before a tensor is read, which waits itself.
void wait_for_device();

}  // namespace knead::engine
