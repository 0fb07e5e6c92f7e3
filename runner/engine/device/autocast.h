#pragma once

#include "recipe.h"

namespace knead::engine {

/// The precision that forward and loss are computed in, while it lives: as PyTorch's eager autocast
/// chooses it for each operator. Weights stay float32. Does nothing for fp32 and tf32. For its
/// thread; not one inside another.
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
