#pragma once

#include <cstdint>
#include <memory>

namespace knead::engine {

/// Counts the bytes of the tensors that this thread makes and frees, from now on: on all devices
/// together, what was there before left out. One at a time in a thread; what is made meanwhile may
/// be freed later.
class TensorMemory {
 public:
  TensorMemory();
  ~TensorMemory();
  TensorMemory(const TensorMemory&) = delete;
  TensorMemory& operator=(const TensorMemory&) = delete;

  std::int64_t now() const;

  /// The most at once, since the start or the last forget_peak().
  std::int64_t peak() const;
  void forget_peak();

 private:
  struct Count;
  struct Watching;
  std::shared_ptr<Count> count_;
  std::unique_ptr<Watching> watching_;
};

}  // namespace knead::engine
