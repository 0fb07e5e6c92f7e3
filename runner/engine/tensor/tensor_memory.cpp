#include "runner/engine/tensor/tensor_memory.h"

#include <algorithm>

#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>

namespace knead::engine {

/// Receives the reports of LibTorch's allocators, which go to the profiler state of a thread.
struct TensorMemory::Count : c10::MemoryReportingInfoBase {
  std::int64_t now = 0;
  std::int64_t peak = 0;

  void reportMemoryUsage(void*, std::int64_t bytes, std::size_t, std::size_t,
                         c10::Device) override {
    now += bytes;  // negative if memory is freed
    peak = std::max(peak, now);
  }
  bool memoryProfilingEnabled() const override { return true; }
};

/// Makes the count the profiler state of this thread while it lives.
struct TensorMemory::Watching {
  c10::DebugInfoGuard guard;
};

TensorMemory::TensorMemory()
    : count_(std::make_shared<Count>()),
      watching_(new Watching{c10::DebugInfoGuard(c10::DebugInfoKind::PROFILER_STATE, count_)}) {}

TensorMemory::~TensorMemory() = default;

std::int64_t TensorMemory::now() const { return count_->now; }
std::int64_t TensorMemory::peak() const { return count_->peak; }
void TensorMemory::forget_peak() { count_->peak = count_->now; }

}  // namespace knead::engine
