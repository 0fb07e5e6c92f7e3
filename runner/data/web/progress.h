#pragma once

#include <chrono>
#include <cstdint>

namespace knead::data {

/// Returns how long a fetch may go on without progress: the seconds of KNEAD_PATIENCE, 30 without
/// it. Throws knead::Error if the variable is no whole number from 1 to 86400.
std::chrono::milliseconds patience();

/// Decides how long a fetch goes on. It makes progress when 64 kB of new bytes have come, in one
/// attempt or in several. Without progress for the time of patience() it is over, and so is an
/// attempt to which no byte comes for a third of that time.
class Progress {
 public:
  using Clock = std::chrono::steady_clock;

  /// Begins now.
  explicit Progress(std::chrono::milliseconds patience);

  /// Counts bytes that have just come.
  void add(std::size_t bytes);

  /// Returns how often there was progress.
  std::uint64_t marks() const { return bytes_ / kMark; }

  /// Returns how long an attempt waits for a byte.
  std::chrono::milliseconds silence() const { return patience_ / 3; }

  /// Returns when an attempt is over if no byte comes from now on.
  Clock::time_point end_of_silence() const;

  /// Returns when the fetch is over if there is no progress until then.
  Clock::time_point end() const { return last_ + patience_; }

  /// Returns whether the fetch is over.
  bool is_over() const { return Clock::now() >= end(); }

 private:
  static constexpr std::uint64_t kMark = 64'000;

  std::chrono::milliseconds patience_;
  Clock::time_point last_;  // progress, or the beginning
  std::uint64_t bytes_ = 0;
};

}  // namespace knead::data
