#pragma once

#include <array>
#include <vector>

#include <ATen/core/Tensor.h>
#include <c10/core/Event.h>
#include <c10/core/Stream.h>

namespace knead::engine {

/// Copies host tensors to the device on a stream of its own, so that the next batch travels while
/// the device computes with the current one. Two sets of device memory take turns. One thread.
class CopyAhead {
 public:
  CopyAhead();
  ~CopyAhead();
  CopyAhead(const CopyAhead&) = delete;
  CopyAhead& operator=(const CopyAhead&) = delete;

  /// Starts copying the tensors into the set of memory that take() did not return last; skips
  /// undefined tensors. The first calls allocate the memory, so later tensors must have the same
  /// shapes. The host tensors must not change before wait_until_read() returns.
  void begin(const std::vector<at::Tensor>& host);

  /// Waits until all copies that were started are complete, so that their host memory may be
  /// reused.
  void wait_until_read();

  /// Returns the device tensors of the last begin(). Work that is queued on the device from now on
  /// waits for the copy. The next begin() overwrites the tensors of the previous take(), after the
  /// device has finished the work that was queued before this call.
  const std::vector<at::Tensor>& take();

 private:
  /// Holds one of the two sets of device memory and the events that order its use.
  struct Memory {
    std::vector<at::Tensor> tensors;
    c10::Event copied;  // recorded on the stream of copies
    c10::Event used;    // recorded on the stream of all other work
  };

  c10::Stream copies_;
  std::array<Memory, 2> memory_;
  std::size_t current_ = 0;  // index in memory_ of the set that take() returned
};

}  // namespace knead::engine
