#pragma once

#include <span>

#include <ATen/core/Tensor.h>
#include <c10/core/Event.h>

namespace knead::engine {

/// Copies numbers from the device to the host without blocking. The device makes the copy after all
/// work queued before it. Needs a device other than the CPU.
class Readback {
 public:
  /// Queues the copy. `numbers`: float64, contiguous, on the device. Keeps no reference to it;
  /// LibTorch reuses its memory only after the copy.
  explicit Readback(const at::Tensor& numbers);

  /// Blocks until the copy is complete and returns the numbers in their order. Later calls return
  /// the same numbers at once. The span is valid while this object lives.
  std::span<const double> wait() const;

 private:
  at::Tensor here_;     // in host memory
  c10::Event arrived_;  // recorded after the copy
};

}  // namespace knead::engine
