#include "runner/engine/device/spinning.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <semaphore>
#include <thread>

#include <omp.h>

#include "runner/trace/worker_thread.h"

namespace knead::engine {
namespace {

/// Sums of all threads of this process, in nanoseconds.
struct Times {
  double ran = 0;
  double waited = 0;
};

/// Reads what the kernel counts for each thread (Documentation/scheduler/sched-stats.rst). Returns
/// zeros where it counts nothing.
Times read_times() {
  Times sum;
  std::error_code none;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", none)) {
    Times one;
    std::ifstream(thread.path() / "schedstat") >> one.ran >> one.waited;
    sum.ran += one.ran;
    sum.waited += one.waited;
  }
  return sum;
}

/// Makes libgomp spin as shortly as it can while this lives. libgomp does so while it manages more
/// threads than there are cores (gomp_throttled_spin_count_var in its wait.h), so this holds a team
/// that is large enough and does nothing. libgomp has no call that changes the count.
class ShortSpinning {
 public:
  explicit ShortSpinning(int team)
      : thread_(trace::start_thread("short spinning", [this, team] { hold(team); })) {}
  ~ShortSpinning() {
    end_.release();
    thread_.join();
  }

 private:
  void hold(int team) {
#pragma omp parallel num_threads(team)
    { static_cast<void>(omp_get_thread_num()); }
    end_.acquire();  // libgomp keeps a team until the thread that made it ends
  }

  std::binary_semaphore end_{0};
  std::thread thread_;
};

[[noreturn]] void watch(int team) {
  constexpr std::chrono::milliseconds kBetween(250);
  std::optional<ShortSpinning> shortened;
  Crowding crowding;
  Times last = read_times();
  for (;;) {
    std::this_thread::sleep_for(kBetween);
    const Times now = read_times();
    // A thread that ended is missing in `now`.
    const bool is_crowded =
        crowding.after(std::max(now.ran - last.ran, 0.0), std::max(now.waited - last.waited, 0.0));
    if (is_crowded && !shortened) shortened.emplace(team);
    if (!is_crowded) shortened.reset();
    last = now;
  }
}

}  // namespace

bool Crowding::after(double ran, double waited) {
  // Measured with two threads on two cores: 0.01 to 0.06 alone; 0.4 beside a process that takes a
  // core, and 0.3 as soon as the threads sleep.
  constexpr double kCrowded = 0.2;
  constexpr double kFree = 0.1;
  const double all = ran + waited;
  if (all > 0) is_crowded_ = waited / all > (is_crowded_ ? kFree : kCrowded);
  return is_crowded_;
}

void watch_spinning(std::int64_t threads) {
  static std::once_flag once;
  if (threads < 2) return;
  // libgomp counts `threads` and those of the team but its first: one more than there are cores.
  const int team = std::max(omp_get_num_procs() - static_cast<int>(threads), 0) + 2;
  std::call_once(once,
                 [team] { trace::start_thread("spinning", [team] { watch(team); }).detach(); });
}

}  // namespace knead::engine
