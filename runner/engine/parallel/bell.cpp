#include "runner/engine/parallel/bell.h"

#include <climits>

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace knead::engine::parallel {

void Bell::ring() {
  ++rung_;
  if (sleeping_.load() != 0) syscall(SYS_futex, &rung_, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void Bell::sleep(std::uint32_t count, std::chrono::milliseconds most) {
  const timespec time{most.count() / 1000, most.count() % 1000 * 1'000'000};
  ++sleeping_;
  // Not FUTEX_PRIVATE: the others are processes of their own. Returns at once if the count differs.
  syscall(SYS_futex, &rung_, FUTEX_WAIT, count, &time, nullptr, 0);
  --sleeping_;
}

}  // namespace knead::engine::parallel
