#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace knead::engine {

/// A stream that really runs beside the host: a thread that does what it is given in order. Work
/// that never ends is left to its thread.
class LateStream {
 public:
  /// Queues work and returns at once.
  void queue(std::function<void()> work);

  /// Returns how many pieces of work were queued so far.
  std::size_t queued();

  /// Returns whether so many pieces of work are done.
  bool is_done(std::size_t count);

  /// Waits until so many pieces of work are done.
  void wait(std::size_t count);

 private:
  void run();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> work_;
  std::size_t queued_ = 0;
  std::size_t done_ = 0;
  bool is_running_ = false;
};

}  // namespace knead::engine
