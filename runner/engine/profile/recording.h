#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "runner/engine/profile/kernels.h"
#include "runner/trace/recorded.h"

namespace knead::engine {

/// Notes what all threads do while it lives: what they say of themselves, and the operators that
/// this thread runs or has others run for it (LibTorch goes through a graph of a GPU in a thread of
/// its own), with the shapes of what they are given, and the functions of backward passes. One at a
/// time; ends where it began.
class Recording {
 public:
  /// `live`: where the memory of tensors is noted too, the bytes that there are. `kernels`: where
  /// there is a GPU, made ready to tell what it does.
  Recording(std::optional<std::int64_t> live, std::unique_ptr<Kernels> kernels);
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  /// Whether it holds as much as a viewer of traces can show.
  bool is_full() const;

  /// Ends it: what was done, this thread's first.
  trace::Recorded stop();

  /// Why nothing is known of the GPU, after stop(); empty where there is none, or something is.
  std::string why_no_kernels() const { return kernels_ ? kernels_->why() : ""; }

 private:
  struct Calls;     // what LibTorch calls for operators
  struct Memory;    // and for memory
  struct Watching;  // while this lives

  void end_calls();

  std::unique_ptr<Kernels> kernels_;
  std::optional<std::uint64_t> handle_;
  std::shared_ptr<Memory> memory_;
  std::unique_ptr<Watching> watching_;
};

}  // namespace knead::engine
