#include "runner/engine/profile/recording.h"

#include <algorithm>
#include <mutex>

#include <ATen/core/Tensor.h>
#include <ATen/record_function.h>
#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runner/engine/device/device.h"
#include "runner/trace/watch.h"

namespace knead::engine {
namespace {

constexpr std::size_t kMostChanges = 1'000'000;  // recorded allocations and releases

/// Returns the shapes of a function's arguments as JSON, "[[32,64],[]]". An argument that is not a
/// tensor has an empty list.
std::string shapes_of(const at::RecordFunction& function) {
  // TorchScript passes its whole stack, whose last items are the arguments.
  const auto all = function.inputs();
  const auto inputs = all.slice(all.size() - std::min(all.size(), function.num_inputs()));
  std::string text = "[";
  for (const c10::IValue& input : inputs) {
    if (text.size() > 1) text += ',';
    const bool has_shape = input.isTensor() && input.toTensor().defined();
    text += has_shape ? fmt::format("[{}]", fmt::join(input.toTensor().sizes(), ",")) : "[]";
  }
  return text + "]";
}

/// Returns the thread that launched work of a GPU. Kineto gives the system's thread id only if it
/// records operators; otherwise it gives the thread handle of CUPTI. Returns the training thread if
/// neither is known, because it launches nearly all work.
trace::Thread& asking_thread(trace::Recorded& recorded, const trace::DeviceWork& work) {
  for (trace::Thread& thread : recorded.threads) {
    if (work.asked_by == thread.id || work.asked_by == thread.handle) return thread;
  }
  return recorded.threads.front();
}

}  // namespace

/// Holds the callbacks for operators. LibTorch calls them in every thread that works for this one.
struct Recording::Calls {
  struct Begun : at::ObserverContext {
    Begun(trace::Kind kind, const char* name, std::string inputs) {
      span.emplace(kind, name, std::move(inputs));
    }
    std::optional<trace::Span> span;
  };

  static std::unique_ptr<at::ObserverContext> start(const at::RecordFunction& function) {
    if (function.scope() == at::RecordScope::BACKWARD_FUNCTION)
      return std::make_unique<Begun>(trace::Kind::backward, function.name(), "");
    return std::make_unique<Begun>(trace::Kind::operation, function.name(), shapes_of(function));
  }

  static void end(const at::RecordFunction&, at::ObserverContext* context) {
    static_cast<Begun&>(*context).span.reset();
  }
};

/// Receives the changes of tensor memory, from all threads that work for this one.
struct Recording::Memory : c10::MemoryReportingInfoBase {
  explicit Memory(std::int64_t live) : changes{{trace::now(), live}} {}

  void reportMemoryUsage(void*, std::int64_t bytes, std::size_t, std::size_t,
                         c10::Device) override {
    trace::allocated(bytes);
    const std::lock_guard lock(mutex);
    if (changes.size() < kMostChanges)
      changes.push_back({trace::now(), changes.back().bytes + bytes});  // negative at a release
  }
  bool memoryProfilingEnabled() const override { return true; }

  bool is_full() {
    const std::lock_guard lock(mutex);
    return changes.size() >= kMostChanges;
  }

  std::mutex mutex;
  std::vector<trace::Memory> changes;
};

struct Recording::Watching {
  c10::DebugInfoGuard guard;
};

Recording::Recording(std::optional<std::int64_t> live, std::unique_ptr<Kernels> kernels)
    : kernels_(std::move(kernels)) {
  // Before the memory guard is installed: Kineto uses the same thread-local slot, which the last
  // one to set it owns.
  if (kernels_) kernels_->start();
  trace::name_thread("training");
  trace::start_watching();
  handle_ = at::addThreadLocalCallback(
      at::RecordFunctionCallback(Calls::start, Calls::end)
          .needsInputs(true)
          .scopes({at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION}));
  if (!live) return;
  memory_ = std::make_shared<Memory>(*live);
  watching_.reset(new Watching{c10::DebugInfoGuard(c10::DebugInfoKind::PROFILER_STATE, memory_)});
}

Recording::~Recording() {
  if (!handle_) return;
  end_calls();
  trace::stop_watching();
}

bool Recording::is_full() const { return trace::is_full() || (memory_ && memory_->is_full()); }

void Recording::end_calls() {
  watching_.reset();
  at::removeCallback(*handle_);
  handle_.reset();
}

trace::Recorded Recording::stop() {
  end_calls();
  trace::Recorded recorded;
  recorded.threads = trace::stop_watching();
  if (memory_) recorded.memory = std::move(memory_->changes);
  if (!kernels_) return recorded;
  wait_for_device();  // kernels that still run would be missing
  recorded.device = kernels_->stop();
  for (trace::DeviceWork& work : recorded.device) {
    if (work.asked_at == 0 || recorded.threads.empty()) continue;
    trace::Thread& thread = asking_thread(recorded, work);
    work.asked_by = thread.id;
    thread.timeline.worked(work.asked_at, work.end - work.begin);
  }
  return recorded;
}

}  // namespace knead::engine
