#pragma once

#include <span>

#include <ATen/core/Tensor.h>
#include <c10/core/Event.h>

namespace knead::engine {

/// Numbers on their way from the device to the host, behind all that the device was asked for
/// before.
class Readback {
 public:
  /// `numbers`: float64 without gaps, on the device.
  explicit Readback(const at::Tensor& numbers);

  /// The numbers in their order, no longer than this lives. Waits until the device has come so far.
  std::span<const double> wait() const;

 private:
  at::Tensor here_;
  c10::Event arrived_;
};

}  // namespace knead::engine
