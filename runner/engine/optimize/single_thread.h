#pragma once

#include <cstdint>

namespace knead::engine::optimize {

/// Limits OpenMP to one thread while it lives, for operations of this thread on few numbers. ATen's
/// fused optimizers wake all threads for any size, which takes longer than a small update, and
/// milliseconds on a busy machine. The results do not change.
class SingleThread {
 public:
  /// Limits the threads if the operations work on at most 131,072 `numbers`; changes nothing if
  /// they are more.
  explicit SingleThread(std::int64_t numbers);
  ~SingleThread();
  SingleThread(const SingleThread&) = delete;
  SingleThread& operator=(const SingleThread&) = delete;

 private:
  int threads_ = 0;  // the limit before; 0: unchanged
};

}  // namespace knead::engine::optimize
