#pragma once

#include "recipe/precision.h"

namespace knead::engine {

/// Enables PyTorch's eager autocast in this thread while it lives: each operator of forward and
/// loss computes in the dtype that PyTorch chooses for bf16 or fp16. Weights stay float32; their
/// casts are cached if `precision.cache` is true, and dropped at the end. Does nothing for fp32 and
/// tf32. The destructor disables autocast, so it must not be nested; BorrowedAutocast restores.
class Autocast {
 public:
  explicit Autocast(const recipe::Precision& precision);
  ~Autocast();
  Autocast(const Autocast&) = delete;
  Autocast& operator=(const Autocast&) = delete;

 private:
  bool is_on_;
};

}  // namespace knead::engine
