#include "runner/engine/recording.h"

#include <chrono>

#include <ATen/core/Tensor.h>
#include <ATen/record_function.h>
#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace knead::engine {
namespace {

using track::Timeline;

thread_local Recording* recording = nullptr;

/// "[[32,64],[]]": an item for each argument, empty for what is no tensor.
std::string shapes_of(const at::RecordFunction& function) {
  // TorchScript hands over its whole stack: the arguments are the last.
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

}  // namespace

struct Recording::Calls {
  struct Begun : at::ObserverContext {
    std::size_t span;
  };

  static std::unique_ptr<at::ObserverContext> start(const at::RecordFunction& function) {
    const bool is_backward = function.scope() == at::RecordScope::BACKWARD_FUNCTION;
    auto begun = std::make_unique<Begun>();
    begun->span = recording->timeline_.begin(
        is_backward ? Timeline::Kind::backward : Timeline::Kind::operation, function.name(), now(),
        is_backward ? "" : shapes_of(function));
    return begun;
  }

  static void end(const at::RecordFunction&, at::ObserverContext* context) {
    recording->timeline_.end(static_cast<Begun&>(*context).span, now());
  }
};

struct Recording::Memory : c10::MemoryReportingInfoBase {
  explicit Memory(Timeline& told) : timeline(told) {}

  void reportMemoryUsage(void*, std::int64_t bytes, std::size_t, std::size_t,
                         c10::Device) override {
    timeline.allocated(bytes, now());  // less than 0 where memory is freed
  }
  bool memoryProfilingEnabled() const override { return true; }

  Timeline& timeline;
};

struct Recording::Watching {
  c10::DebugInfoGuard guard;
};

Recording::Recording(std::optional<std::int64_t> live) {
  recording = this;
  handle_ = at::addThreadLocalCallback(
      at::RecordFunctionCallback(Calls::start, Calls::end)
          .needsInputs(true)
          .scopes({at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION}));
  if (!live) return;
  timeline_.start_memory(*live, now());
  watching_.reset(new Watching{c10::DebugInfoGuard(c10::DebugInfoKind::PROFILER_STATE,
                                                   std::make_shared<Memory>(timeline_))});
}

Recording::~Recording() {
  watching_.reset();
  at::removeCallback(handle_);
  recording = nullptr;
}

Timeline::Nanoseconds Recording::now() {
  const auto time = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
}

}  // namespace knead::engine
