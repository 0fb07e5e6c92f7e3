#pragma once

#include <cstdint>

namespace knead::engine::optimize {

/// While it lives, the operations of this thread wake no other threads, if `numbers` is so small
/// that waking takes longer than the work. ATen's fused optimizers do not look: they wake all
/// threads for any size, and on a machine with other work each waking may take milliseconds. What
/// is computed is the same.
class Alone {
 public:
  explicit Alone(std::int64_t numbers);
  ~Alone();
  Alone(const Alone&) = delete;
  Alone& operator=(const Alone&) = delete;

 private:
  int threads_ = 0;  // before; 0: nothing was changed
};

}  // namespace knead::engine::optimize
