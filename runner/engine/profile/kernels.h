#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runner/trace/recorded.h"

namespace torch::autograd::profiler {
struct KinetoEvent;
}

namespace knead::engine {

/// What a GPU does for the process: its kernels, copies and fills of memory, which the driver tells
/// LibTorch's Kineto of (CUPTI), and where the calls were made that asked for them. Made, started
/// and stopped in one thread; one at a time. Nothing here throws: where nothing can be had, why()
/// says why.
class Kernels {
 public:
  /// Makes ready, which may take a second; what comes before the start is not kept. Best a step
  /// ahead: some of it is put off until something is asked of the device.
  Kernels();
  ~Kernels();
  Kernels(const Kernels&) = delete;
  Kernels& operator=(const Kernels&) = delete;

  void start();

  /// What was done since the start; the device must have come to its end.
  std::vector<trace::DeviceWork> stop();

  /// Why there is nothing, after stop(): a clause. Empty where there is something.
  const std::string& why() const { return why_; }

 private:
  template <class Act>
  void attempt(Act act);

  bool is_ready_ = false;
  bool is_started_ = false;
  std::string why_;
};

/// What the clock of traces shows at 0 of Kineto's, which is Unix time in nanoseconds.
trace::Nanoseconds epoch_of_kineto();

/// Of Kineto's events those of devices, by the clock of traces.
std::vector<trace::DeviceWork> device_work(
    const std::vector<torch::autograd::profiler::KinetoEvent>& events, trace::Nanoseconds epoch);

}  // namespace knead::engine
