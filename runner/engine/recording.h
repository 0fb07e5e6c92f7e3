#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "runner/track/timeline.h"

namespace knead::engine {

/// Notes the operators that this thread runs while it lives, with the shapes of what they are
/// given, and the functions of backward passes. One at a time in a thread; ends where it began.
class Recording {
 public:
  /// `live`: where the memory of tensors is noted too, the bytes that there are.
  explicit Recording(std::optional<std::int64_t> live);
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  track::Timeline& timeline() { return timeline_; }

  /// The clock of the timeline.
  static track::Timeline::Nanoseconds now();

 private:
  struct Calls;     // what LibTorch calls for operators
  struct Memory;    // and for memory
  struct Watching;  // while this lives

  track::Timeline timeline_;
  std::uint64_t handle_;
  std::unique_ptr<Watching> watching_;
};

}  // namespace knead::engine
