#pragma once

#include <span>

#include <ATen/core/Tensor.h>
#include <c10/core/Event.h>

namespace knead::engine {

/// Copies numbers from the device to the host without blocking. The device makes the copy after all
/// work queued before it.
class Readback {
 public:
  /// Queues the copy. `numbers`: float64, contiguous, on the device.
  explicit Readback(const at::Tensor& numbers);

  /// Waits until the copy is complete and returns the numbers in their order. The span is valid
  /// while this object lives.
  std::span<const double> wait() const;

 private:
  at::Tensor here_;     // in host memory
  c10::Event arrived_;  // recorded after the copy
};

}  // namespace knead::engine
