#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "runner/engine/profile/kernels.h"
#include "runner/trace/recorded.h"

namespace knead::engine {

/// Records during its lifetime the spans of all threads, and the operators and backward functions
/// that this thread runs itself or has run by LibTorch's threads (the backward pass of a GPU has a
/// thread of its own), operators with the shapes of their inputs. One instance at a time; construct
/// and end it on the same thread. Slows a step down, because each operator is recorded.
class Recording {
 public:
  /// Begins to record. `live` is the number of bytes of live tensors now; std::nullopt if memory is
  /// not recorded. `kernels` is the prepared recording of the GPU; null without a GPU.
  Recording(std::optional<std::int64_t> live, std::unique_ptr<Kernels> kernels);
  /// Ends the recording and drops it, unless stop() has ended it.
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  /// Returns whether the recording is as long as viewers of traces can show, by its spans or by a
  /// million changes of memory. What follows is not recorded.
  bool is_full() const;

  /// Ends the recording and returns it; the timeline of this thread is the first. Waits for the
  /// device if its work is recorded. Must be called once.
  trace::Recorded stop();

  /// Returns, after stop(), why no work of the GPU was recorded; empty if some was, or without a
  /// GPU.
  std::string why_no_kernels() const { return kernels_ ? kernels_->why() : ""; }

 private:
  struct Calls;     // callbacks of LibTorch for operators
  struct Memory;    // callback of LibTorch for allocations
  struct Watching;  // guard that keeps Memory installed

  /// Removes the callbacks from LibTorch.
  void end_calls();

  std::unique_ptr<Kernels> kernels_;
  std::optional<std::uint64_t> handle_;
  std::shared_ptr<Memory> memory_;
  std::unique_ptr<Watching> watching_;
};

}  // namespace knead::engine
