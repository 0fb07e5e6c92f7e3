#include "tests/engine/device/late_stream.h"

#include <utility>

namespace knead::engine {

void LateStream::queue(std::function<void()> work) {
  const std::lock_guard lock(mutex_);
  work_.push_back(std::move(work));
  ++queued_;
  if (!std::exchange(is_running_, true)) std::thread([this] { run(); }).detach();
}

std::size_t LateStream::queued() {
  const std::lock_guard lock(mutex_);
  return queued_;
}

bool LateStream::is_done(std::size_t count) {
  const std::lock_guard lock(mutex_);
  return done_ >= count;
}

void LateStream::wait(std::size_t count) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return done_ >= count; });
}

/// Does what is queued, and ends when nothing is.
void LateStream::run() {
  std::unique_lock lock(mutex_);
  while (!work_.empty()) {
    const std::function<void()> work = std::move(work_.front());
    work_.pop_front();
    lock.unlock();
    work();
    lock.lock();
    ++done_;
    changed_.notify_all();
  }
  is_running_ = false;
}

}  // namespace knead::engine
