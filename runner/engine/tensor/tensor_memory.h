#pragma once

#include <cstdint>
#include <memory>

namespace knead::engine {

/// Counts the bytes of tensors that this thread allocates and frees while the object lives, on all
/// devices together. The count starts at 0, whatever is allocated by then, so that it may become
/// negative. A thread may have one at a time; it counts nothing while another profiler of LibTorch
/// occupies the thread's profiler slot. Tensors that it counted may be freed after it. Destroy it
/// on the thread that made it.
class TensorMemory {
 public:
  TensorMemory();
  ~TensorMemory();
  TensorMemory(const TensorMemory&) = delete;
  TensorMemory& operator=(const TensorMemory&) = delete;

  /// Returns the bytes allocated minus the bytes freed since construction. A GPU's caching
  /// allocator reports the blocks it hands out, not its reserve.
  std::int64_t now() const;

  /// Returns the largest value of now() since construction or the last forget_peak().
  std::int64_t peak() const;
  /// Makes the present value of now() the peak, to measure that of the next part.
  void forget_peak();

 private:
  struct Count;
  struct Watching;
  std::shared_ptr<Count> count_;        // shared with LibTorch while it reports to it
  std::unique_ptr<Watching> watching_;  // registers the count in this thread
};

}  // namespace knead::engine
