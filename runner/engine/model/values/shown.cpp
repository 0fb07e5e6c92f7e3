#include "runner/engine/model/values/shown.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <mutex>

#include <fmt/format.h>

#include "schema/document/standard_streams.h"

namespace knead::engine::model {
namespace {

constexpr double kBytes = 1500;         // that are shown at once
constexpr double kBytesOfASecond = 80;  // that are shown later
constexpr double kBytesOfNote = 200;    // for the number of what is left out

/// Lets few bytes pass, so that a loop that prints without end does not fill a disk.
class Valve {
 public:
  void pass(std::string_view text) {
    const std::lock_guard lock(mutex_);
    const auto now = Clock::now();
    const std::chrono::duration<double> since = now - last_;
    last_ = now;
    room_ = std::min(kBytes, room_ + since.count() * kBytesOfASecond);
    double size = static_cast<double>(std::min(text.size(), kMostToldBytes));
    if (left_out_ > 0) size += kBytesOfNote;
    if (size > room_) {
      if (left_out_ == 0)
        tell("the model prints much: some of it is shown from here on, the rest is counted\n");
      ++left_out_;
      return;
    }
    room_ -= size;
    if (left_out_ > told_)
      tell(fmt::format("({} texts that the model prints are left out)\n", left_out_ - told_));
    told_ = left_out_;
    tell(text);
  }

 private:
  using Clock = std::chrono::steady_clock;

  std::mutex mutex_;
  double room_ = kBytes;
  Clock::time_point last_ = Clock::now();
  std::uint64_t left_out_ = 0, told_ = 0;  // texts
};

}  // namespace

void show_of_model(std::string_view text) {
  static Valve valve;
  valve.pass(text);
}

}  // namespace knead::engine::model
