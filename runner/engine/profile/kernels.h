#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runner/trace/recorded.h"

namespace torch::autograd::profiler {
struct KinetoEvent;
}

namespace knead::engine {

/// Records the kernels, copies and memory fills of a GPU for this process, and the host calls that
/// launched them, by LibTorch's Kineto (CUPTI). Construct, start and stop it on one thread; one
/// instance at a time. Does not throw: why() gives the reason if nothing was recorded.
class Kernels {
 public:
  /// Prepares Kineto, which may take a second; records nothing yet. Construct it one step before
  /// the first recorded step: CUPTI defers a part of its setup to the next work on the device.
  Kernels();

  /// Starts and stops a recording that was only prepared: Kineto cannot be prepared twice.
  ~Kernels();
  Kernels(const Kernels&) = delete;
  Kernels& operator=(const Kernels&) = delete;

  /// Begins to record. Has no effect if the preparation failed, or for a second call.
  void start();

  /// Ends the recording and returns the work since start(), by the clock of traces, in Kineto's
  /// order; empty without start(). The caller has waited for the device before, because work that
  /// still runs is missing.
  std::vector<trace::DeviceWork> stop();

  /// Returns why stop() gave no work, as a clause for a message; empty if it gave some.
  const std::string& why() const { return why_; }

 private:
  /// Calls `act` and keeps the message of an exception in why_.
  template <class Act>
  void attempt(Act act);

  bool is_ready_ = false;
  bool is_started_ = false;
  std::string why_;
};

/// Returns the time on the clock of traces at which Kineto's clock, Unix time in nanoseconds, was
/// 0. Added to a time of Kineto it gives a time of traces. Reads both clocks, so that a later call
/// differs if the system's clock was set meanwhile.
trace::Nanoseconds epoch_of_kineto();

/// Returns the kernels, copies and fills among Kineto's events, in their order, each with the host
/// call that launched it; without that call if it is not among the events. Adds `epoch` to Kineto's
/// times, so that they are on the clock of traces. Pure.
std::vector<trace::DeviceWork> device_work(
    const std::vector<torch::autograd::profiler::KinetoEvent>& events, trace::Nanoseconds epoch);

}  // namespace knead::engine
