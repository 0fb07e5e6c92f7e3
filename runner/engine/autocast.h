#pragma once

#include <c10/core/ScalarType.h>

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

/// How the operators of this thread choose their precision, at a moment.
class AutocastState {
 public:
  AutocastState();
  void restore() const;

 private:
  bool enabled_, cached_;
  at::ScalarType dtype_;
};

/// While it lives, autocast is as it was at another moment.
class BorrowedAutocast {
 public:
  explicit BorrowedAutocast(const AutocastState& other);
  ~BorrowedAutocast();
  BorrowedAutocast(const BorrowedAutocast&) = delete;
  BorrowedAutocast& operator=(const BorrowedAutocast&) = delete;

 private:
  AutocastState before_;
};

}  // namespace knead::engine
