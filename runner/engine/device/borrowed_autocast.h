#pragma once

#include <c10/core/ScalarType.h>

namespace knead::engine {

/// Captures the autocast settings of a thread on the device of this process: enabled or not, dtype,
/// and whether casts of weights are cached.
class AutocastState {
 public:
  /// Captures the settings of the calling thread.
  AutocastState();
  /// Makes the captured settings those of the calling thread, which may be another one: LibTorch's
  /// engine has threads of its own for backward on a GPU.
  void restore() const;

 private:
  bool enabled_, cached_;
  at::ScalarType dtype_;
};

/// Applies captured autocast settings to this thread while it lives, so that a recomputed forward
/// pass chooses the dtypes of the first one. The destructor restores the previous settings. May be
/// nested, also within an Autocast, whose cached casts it then keeps.
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
