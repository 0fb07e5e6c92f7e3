#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runner/trace/timeline.h"

namespace knead::trace {

/// Holds the recorded spans of one thread. All of them have ended. The name is the one of
/// name_thread(), or the system's.
struct Thread {
  std::string name;
  std::int64_t id = 0;  // the system's thread id
  Timeline timeline;
  std::int64_t handle = 0;  // low 32 bits of pthread_self(), by which CUPTI identifies the thread
};

/// Describes a kernel, copy or fill that a GPU executed in one of its streams for a thread. Times
/// are on the clock of now(), so that they can be compared with those of spans. The launching span
/// ends before the work does, because launches are asynchronous.
struct DeviceWork {
  /// Tells a kernel, a copy of memory and a fill of memory apart.
  enum class Kind { kernel, copy, fill };

  Kind kind = Kind::kernel;
  std::string name;
  int device = 0;
  std::int64_t stream = 0;
  Nanoseconds begin = 0;
  Nanoseconds end = 0;
  Nanoseconds asked_at = 0;   // time of the launch call; 0 if unknown
  std::int64_t asked_by = 0;  // Thread::id of the launching thread, or its handle until resolved
};

/// States how many bytes all tensors occupy from a time on, until the next Memory of the list.
struct Memory {
  Nanoseconds time = 0;
  std::int64_t bytes = 0;
};

/// Holds everything that was recorded of the process between two times: the input of the writers of
/// traces and time tables. `device` and `memory` are empty if they were not asked for. Move it and
/// do not copy it: spans refer to names in their own Timeline.
struct Recorded {
  std::vector<Thread> threads;  // the training thread comes first
  std::vector<DeviceWork> device;
  std::vector<Memory> memory;
};

}  // namespace knead::trace
