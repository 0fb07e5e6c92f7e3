#pragma once

#include <array>
#include <vector>

#include <ATen/core/Tensor.h>
#include <c10/core/Event.h>
#include <c10/core/Stream.h>

namespace knead::engine {

/// Copies host tensors to the device on a stream of its own, so that the next batch travels while
/// the device computes with the current one. Two sets of device memory take turns: begin() fills
/// the one that take() did not return last. The caller alternates begin() and take(). Needs a
/// device other than the CPU. Used by one thread.
class CopyAhead {
 public:
  /// Takes a stream of high priority from LibTorch's pool; allocates no memory yet.
  CopyAhead();
  /// Waits for the copies that were started, because the memory at both of their ends may be freed
  /// then.
  ~CopyAhead();
  CopyAhead(const CopyAhead&) = delete;
  CopyAhead& operator=(const CopyAhead&) = delete;

  /// Starts copying the tensors into the set of memory that take() did not return last, and does
  /// not wait for it; skips undefined tensors. The first call for each set allocates it, so later
  /// tensors must have the same shapes and dtypes. The host tensors should be pinned, or the copy
  /// blocks the host; they must not change before wait_until_read() returns.
  void begin(const std::vector<at::Tensor>& host);

  /// Waits until all copies that were started are complete, so that their host memory may be
  /// reused.
  void wait_until_read();

  /// Returns the device tensors of the last begin(), by index of the host tensors; undefined where
  /// those were. Work that is queued on the device from now on waits for the copy; the host does
  /// not wait. The next begin() overwrites the tensors of the previous take(), after the device has
  /// finished the work that was queued before this call.
  const std::vector<at::Tensor>& take();

 private:
  /// Holds one of the two sets of device memory and the events that order its use.
  struct Memory {
    /// Tensors on the device; empty before the first begin().
    std::vector<at::Tensor> tensors;
    /// Recorded on the stream of copies, behind the last copy into this set.
    c10::Event copied;
    /// Recorded on the stream of all other work, behind the last work that reads this set.
    c10::Event used;
  };

  c10::Stream copies_;
  std::array<Memory, 2> memory_;
  std::size_t current_ = 0;  // index in memory_ of the set that take() returned
};

}  // namespace knead::engine
