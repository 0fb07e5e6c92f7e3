#include "runner/engine/profile/kernels.h"

#include <chrono>
#include <exception>
#include <optional>
#include <set>
#include <unordered_map>

#include <c10/util/Exception.h>
#include <kineto/ActivityType.h>
#include <torch/csrc/autograd/profiler_kineto.h>

namespace knead::engine {
namespace {

using libkineto::ActivityType;
using torch::autograd::profiler::KinetoEvent;
using trace::DeviceWork;

// Only device activities: Recording records the operators itself. Without the CPU activities
// Kineto adds no callback of its own to each operator.
const std::set<torch::profiler::impl::ActivityType> kOfDevice{
    torch::profiler::impl::ActivityType::CUDA};

torch::profiler::impl::ProfilerConfig configuration() {
  return torch::profiler::impl::ProfilerConfig(torch::profiler::impl::ProfilerState::KINETO);
}

std::optional<DeviceWork::Kind> kind_of(const KinetoEvent& event) {
  switch (static_cast<ActivityType>(event.activityType())) {
    case ActivityType::CONCURRENT_KERNEL: return DeviceWork::Kind::kernel;
    case ActivityType::GPU_MEMCPY: return DeviceWork::Kind::copy;
    case ActivityType::GPU_MEMSET: return DeviceWork::Kind::fill;
    default: return std::nullopt;
  }
}

/// Returns whether an event is a call of the CUDA API, which may have launched work.
bool is_call(const KinetoEvent& event) {
  const auto type = static_cast<ActivityType>(event.activityType());
  return type == ActivityType::CUDA_RUNTIME || type == ActivityType::CUDA_DRIVER;
}

}  // namespace

template <class Act>
void Kernels::attempt(Act act) {
  try {
    act();
  } catch (const c10::Error& error) {
    why_ = error.what_without_backtrace();
  } catch (const std::exception& error) {
    why_ = error.what();
  }
}

Kernels::Kernels() {
  attempt([this] {
    torch::autograd::profiler::prepareProfiler(configuration(), kOfDevice);
    is_ready_ = true;
  });
}

Kernels::~Kernels() {
  start();  // Kineto cannot be prepared twice: a preparation must be used
  stop();
}

void Kernels::start() {
  if (!is_ready_) return;
  is_ready_ = false;
  attempt([this] {
    torch::autograd::profiler::enableProfiler(configuration(), kOfDevice);
    is_started_ = true;
  });
}

std::vector<DeviceWork> Kernels::stop() {
  std::vector<DeviceWork> done;
  if (!is_started_) return done;
  is_started_ = false;
  attempt([&] {
    done = device_work(torch::autograd::profiler::disableProfiler()->events(), epoch_of_kineto());
  });
  // Kineto reports no error if another profiler keeps CUPTI from recording.
  if (done.empty() && why_.empty())
    why_ = "the driver told of none; another profiler may be watching this GPU";
  return done;
}

trace::Nanoseconds epoch_of_kineto() {
  const auto time = std::chrono::system_clock::now().time_since_epoch();
  return trace::now() - std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
}

std::vector<DeviceWork> device_work(const std::vector<KinetoEvent>& events,
                                    trace::Nanoseconds epoch) {
  // A call and the work that it launched have the same correlation id.
  std::unordered_map<std::uint64_t, const KinetoEvent*> calls;
  for (const KinetoEvent& event : events) {
    if (is_call(event)) calls.emplace(event.correlationId(), &event);
  }
  std::vector<DeviceWork> done;
  for (const KinetoEvent& event : events) {
    const auto kind = kind_of(event);
    if (!kind) continue;
    const auto begin = static_cast<trace::Nanoseconds>(event.startNs()) + epoch;
    DeviceWork work{.kind = *kind,
                    .name = event.name(),
                    .device = event.deviceIndex(),
                    .stream = event.deviceResourceId(),
                    .begin = begin,
                    .end = begin + static_cast<trace::Nanoseconds>(event.durationNs())};
    if (const auto call = calls.find(event.correlationId()); call != calls.end()) {
      work.asked_at = static_cast<trace::Nanoseconds>(call->second->startNs()) + epoch;
      work.asked_by = call->second->deviceResourceId();
    }
    done.push_back(std::move(work));
  }
  return done;
}

}  // namespace knead::engine
