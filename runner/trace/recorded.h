#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runner/trace/timeline.h"

namespace knead::trace {

/// What a thread did.
struct Thread {
  std::string name;
  std::int64_t id = 0;  // the system's
  Timeline timeline;
  std::int64_t handle = 0;  // the low half of what pthread_self() gives: CUPTI's number of it
};

/// Something that a GPU did in one of its streams, which a thread had asked for.
struct DeviceWork {
  enum class Kind { kernel, copy, fill };

  Kind kind = Kind::kernel;
  std::string name;
  int device = 0;
  std::int64_t stream = 0;
  Nanoseconds begin = 0;
  Nanoseconds end = 0;
  Nanoseconds asked_at = 0;   // 0: unknown
  std::int64_t asked_by = 0;  // the number of the thread
};

/// How many bytes all tensors had, from a time on.
struct Memory {
  Nanoseconds time = 0;
  std::int64_t bytes = 0;
};

/// All that is known of some time of a process.
struct Recorded {
  std::vector<Thread> threads;  // the training loop's first
  std::vector<DeviceWork> device;
  std::vector<Memory> memory;
};

}  // namespace knead::trace
