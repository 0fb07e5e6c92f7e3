#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace knead::engine::parallel {

/// Wakes processes that wait for a change in memory that they share. Lies in that memory, where
/// zeros are a bell that was never rung.
///
/// A process that waits reads count(), looks whether the change is there, and sleeps if it is not.
/// A process that makes the change rings after it. No ring is missed then.
class Bell {
 public:
  /// Wakes all who sleep. A system call only if somebody does.
  void ring();

  /// Returns how often it was rung.
  std::uint32_t count() const { return rung_.load(); }

  /// Returns when it was rung more often than `count`, or after `most`.
  void sleep(std::uint32_t count, std::chrono::milliseconds most);

 private:
  alignas(64) std::atomic<std::uint32_t> rung_;  // a cache line of its own: all ranks read it
  std::atomic<std::uint32_t> sleeping_;
  static_assert(std::atomic<std::uint32_t>::is_always_lock_free);
};

}  // namespace knead::engine::parallel
