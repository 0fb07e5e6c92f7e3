#include "runner/engine/profile/kernels.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/ones.h>
#include <torch/csrc/autograd/profiler_kineto.h>
#include <torch/csrc/profiler/collection.h>

#include <catch2/catch.hpp>  // behind LibTorch, which has a CHECK of its own

using namespace knead;
using namespace knead::engine;
using libkineto::ActivityType;
using torch::autograd::profiler::KinetoEvent;
using trace::DeviceWork;

namespace {

namespace kineto = torch::profiler::impl;

/// As Kineto hands on what CUPTI recorded. `device`: the process, for calls; `resource`: the
/// stream, or the thread that called.
KinetoEvent recorded(ActivityType type, const std::string& name, std::int64_t start,
                     std::int64_t duration, std::uint64_t correlation, std::int32_t device,
                     std::int32_t resource) {
  kineto::ExtraFields<kineto::EventType::Kineto> fields{name, duration, correlation, type,
                                                        {},   {},       ""};
  const auto result = kineto::Result::create(start, std::uint64_t{0},
                                             kineto::kineto::DeviceAndResource{device, resource},
                                             std::move(fields));
  return KinetoEvent(result, /*verbose=*/false);
}

}  // namespace

TEST_CASE("what Kineto says of a GPU is its work, and where that was asked for") {
  const std::vector<KinetoEvent> events{
      recorded(ActivityType::CUDA_RUNTIME, "cudaLaunchKernel", 1000, 5, 41, 9000, 9001),
      recorded(ActivityType::CUDA_RUNTIME, "cudaMemcpyAsync", 1100, 7, 42, 9000, 9002),
      recorded(ActivityType::CUDA_DRIVER, "cuLaunchKernelEx", 1200, 7, 43, 9000, 9001),
      recorded(ActivityType::GPU_MEMCPY, "Memcpy HtoD (Pinned -> Device)", 1500, 20, 42, 0, 20),
      recorded(ActivityType::CONCURRENT_KERNEL, "gemm", 1600, 300, 41, 0, 7),
      recorded(ActivityType::CONCURRENT_KERNEL, "softmax", 2000, 30, 43, 0, 7),
      recorded(ActivityType::GPU_MEMSET, "Memset (Device)", 2100, 3, 99, 0, 7),
  };
  const auto done = device_work(events, -900);
  REQUIRE(done.size() == 4);
  CHECK(done[0].kind == DeviceWork::Kind::copy);
  CHECK(done[0].name == "Memcpy HtoD (Pinned -> Device)");
  CHECK(done[0].stream == 20);
  CHECK(done[0].asked_at == 200);
  CHECK(done[0].asked_by == 9002);
  CHECK(done[1].kind == DeviceWork::Kind::kernel);
  CHECK(done[1].device == 0);
  CHECK(done[1].begin == 700);
  CHECK(done[1].end == 1000);
  CHECK(done[1].asked_at == 100);
  CHECK(done[2].asked_at == 300);
  CHECK(done[3].kind == DeviceWork::Kind::fill);
  CHECK(done[3].asked_at == 0);  // nobody knows
}

TEST_CASE("without a GPU there are no kernels, and a reason") {
  for (int i = 0; i < 2; ++i) {
    Kernels kernels;
    kernels.start();
    const at::Tensor sum = at::ones({3});
    CHECK(kernels.stop().empty());
    CHECK(kernels.why() == "the driver told of none; another profiler may be watching this GPU");
    CHECK(kernels.stop().empty());
  }
  Kernels never_started;
  CHECK(never_started.stop().empty());
  CHECK(never_started.why().empty());
}

TEST_CASE("the clock of traces and Kineto's are the same but for their begin") {
  using namespace torch::profiler::impl;
  const ProfilerConfig configuration(ProfilerState::KINETO);
  const std::set<torch::profiler::impl::ActivityType> of_cpu{
      torch::profiler::impl::ActivityType::CPU};
  torch::autograd::profiler::prepareProfiler(configuration, of_cpu);
  torch::autograd::profiler::enableProfiler(configuration, of_cpu);
  const trace::Nanoseconds before = trace::now();
  const at::Tensor sum = at::ones({3});
  const trace::Nanoseconds after = trace::now();
  const auto result = torch::autograd::profiler::disableProfiler();
  const trace::Nanoseconds epoch = epoch_of_kineto();
  REQUIRE(!result->events().empty());
  constexpr trace::Nanoseconds kApart = 100'000;  // Kineto reckons it from the processor's counter
  for (const KinetoEvent& event : result->events()) {
    const auto begin = static_cast<trace::Nanoseconds>(event.startNs()) + epoch;
    CHECK(begin > before - kApart);
    CHECK(begin < after + kApart);
  }
}
