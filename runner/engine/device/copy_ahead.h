#pragma once

#include <array>
#include <vector>

#include <ATen/core/Tensor.h>
#include <c10/core/Event.h>
#include <c10/core/Stream.h>

namespace knead::engine {

/// Copies of host tensors on the device, made beside its work: a batch travels while the device
/// computes with the one before. Two sets of memory take turns. One thread.
class CopyAhead {
 public:
  CopyAhead();
  ~CopyAhead();
  CopyAhead(const CopyAhead&) = delete;
  CopyAhead& operator=(const CopyAhead&) = delete;

  /// Begins to copy them, each into memory like the first of its place; undefined ones stay out.
  /// They must not change before wait_until_read().
  void begin(const std::vector<at::Tensor>& host);

  /// Until what was begun last is read, so that its host memory is free.
  void wait_until_read();

  /// What was begun last, for work that the device is asked for from now on. What was given before
  /// is overwritten by the next begin(), once the device is through with all that it was asked for
  /// until now.
  const std::vector<at::Tensor>& take();

 private:
  struct Memory {
    std::vector<at::Tensor> tensors;
    c10::Event copied;  // on the stream of copies
    c10::Event used;    // on the stream of all other work
  };

  c10::Stream copies_;
  std::array<Memory, 2> memory_;
  std::size_t current_ = 0;  // of memory_: what take() gave
};

}  // namespace knead::engine
