#include <chrono>
#include <csignal>
#include <thread>

#include <ATen/ops/zeros.h>
#include <c10/core/Event.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <fmt/format.h>

#include "runner/engine/cuda/nccl_library.h"
#include "runner/engine/device/device.h"
#include "schema/document/error.h"
#include "tests/engine/cuda/nccl_rank.h"

namespace knead::engine::cuda {
namespace {

using parallel::Group;

at::Tensor zeros(std::int64_t count, at::ScalarType type = at::kFloat) {
  return on_device(at::zeros({count}, type));
}

bool is_last(const Group& group) { return group.rank() == group.ranks() - 1; }

std::string sum(Group& group, const at::Tensor& tensor) {
  group.begin_sum(tensor).wait();
  return "done";
}

std::string other_count(Group& group) { return sum(group, zeros(is_last(group) ? 7 : 8)); }

std::string other_type(Group& group) {
  return sum(group, zeros(8, is_last(group) ? at::kDouble : at::kFloat));
}

std::string other_operation(Group& group) {
  if (!is_last(group)) return sum(group, zeros(8));
  group.copy_from_first(zeros(8));
  return "done";
}

std::string unknown_type(Group& group) { return sum(group, zeros(8, at::kComplexFloat)); }

/// The last rank ends by a signal, once all are connected.
std::string dies(Group& group) {
  sum(group, zeros(8));
  if (is_last(group)) std::raise(SIGKILL);
  return sum(group, zeros(8));
}

/// The last rank ends by a signal while a sum is on its way.
std::string dies_within(Group& group) {
  const at::Tensor tensor = zeros(20'000'000);
  Group::Sum running = group.begin_sum(tensor);
  if (is_last(group)) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    std::raise(SIGKILL);
  }
  running.wait();
  return "done";
}

/// The last rank ends with an error of its own.
std::string throws(Group& group) {
  sum(group, zeros(8));
  if (is_last(group)) throw Error("this rank cannot read its data");
  return sum(group, zeros(8));
}

/// The last rank does not come to the second sum in time.
std::string hangs(Group& group) {
  sum(group, zeros(8));
  if (is_last(group)) std::this_thread::sleep_for(std::chrono::seconds(2));
  return sum(group, zeros(8));
}

/// Every rank leaves a sum alone.
std::string leaves(Group& group) {
  const Group::Sum running = group.begin_sum(zeros(8));
  return "left";
}

/// The last rank goes without NCCL to where the others connect by it.
std::string stays_away(Group& group) {
  group.of_first(std::string());  // takes part in giving the id to all
  std::this_thread::sleep_for(std::chrono::seconds(2));
  return "stayed away";
}

/// Breaks the rules that the stand-in for NCCL holds the engine to, and says what it answers.
std::string rules(Group&) {
  const NcclTable& nccl = load_nccl();
  std::string id(kNcclIdSize, '\0'), answers;
  nccl.make_id(id.data());
  void* communicator = nullptr;
  nccl.connect(&communicator, 1, id.data(), 0);
  const at::Tensor numbers = zeros(8);
  const c10::Stream stream = c10::impl::VirtualGuardImpl(device().type()).getNewStream(device(), 0);
  const auto call = [&](void* on) {
    return nccl.sum(communicator, numbers.mutable_data_ptr(), 8, NcclType::float32, on);
  };
  const auto settle = [&] {
    NcclResult state = NcclResult::in_progress;
    while (state == NcclResult::in_progress) state = nccl.state(communicator);
    return state;
  };
  const auto note = [&](NcclResult result) {
    answers += fmt::format("{} {}\n", static_cast<int>(result), nccl.reason(communicator));
  };
  settle();
  note(call(nullptr));
  std::thread([&] { note(call(stream.native_handle())); }).join();
  call(stream.native_handle());
  note(call(stream.native_handle()));  // the first is not on the stream yet
  note(settle());                      // and the stream does not wait for the work
  nccl.abort(communicator);
  note(call(stream.native_handle()));
  return answers;
}

}  // namespace

std::map<std::string, Scenario> wrong_scenarios() {
  return {{"other_count", other_count},
          {"other_type", other_type},
          {"other_operation", other_operation},
          {"unknown_type", unknown_type},
          {"dies", dies},
          {"dies_within", dies_within},
          {"throws", throws},
          {"hangs", hangs},
          {"leaves", leaves},
          {"stays_away", stays_away},
          {"rules", rules}};
}

}  // namespace knead::engine::cuda
