#include "runner/engine/parallel/gloo.h"

#include <chrono>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include "runner/engine/parallel/group.h"
#include "runner/engine/parallel/lost_rank.h"
#include "runner/engine/parallel/meeting.h"

namespace knead::engine::parallel {
namespace {

/// Returns the error for an exception of LibTorch or Gloo. Gloo tells a timeout from a lost
/// connection only in its text.
Error lost(const std::exception& exception, const Membership& membership) {
  const std::string text = exception.what();
  const bool is_late =
      text.find("imed out") != std::string::npos || text.find("imeout") != std::string::npos;
  return is_late ? waited_too_long(membership.rank, membership.timeout)
                 : lost_connection(membership.rank);
}

/// Calls `operation`, and turns what LibTorch and Gloo throw into the error of a lost rank.
template <class Operation>
auto guarded(const Membership& membership, Operation operation) {
  try {
    return operation();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& exception) {  // Gloo's are not errors of LibTorch
    throw lost(exception, membership);
  }
}

std::chrono::milliseconds in_milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

class RunningWork final : public Running {
 public:
  RunningWork(const Membership& membership, c10::intrusive_ptr<c10d::Work> work)
      : membership_(membership), work_(std::move(work)) {}

  void wait() override {
    guarded(membership_, [&] { work_->wait(); });
  }

 private:
  const Membership& membership_;
  c10::intrusive_ptr<c10d::Work> work_;
};

}  // namespace

struct Gloo::Connection {
  Membership membership;
  c10::intrusive_ptr<c10d::ProcessGroupGloo> group;
};

Gloo::~Gloo() = default;

Gloo::Gloo(const Membership& membership)
    : connection_(std::make_unique<Connection>(Connection{membership, {}})) {
  // LibTorch's recorder of collectives costs time, and is not safe for several groups in a process.
  setenv("TORCH_FR_BUFFER_SIZE", "0", /*overwrite=*/0);
  guarded(membership, [&] {
    Meeting meeting = meet(membership);
    auto options = c10d::ProcessGroupGloo::Options::create();
    // The default device resolves the name of the host, and may listen where nobody needs it.
    options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname(meeting.address));
    options->timeout = in_milliseconds(membership.timeout);
    connection_->group = c10::make_intrusive<c10d::ProcessGroupGloo>(
        meeting.store, membership.rank, membership.ranks, std::move(options));
    connection_->group->barrier(c10d::BarrierOptions())->wait();
    leave(meeting);
  });
}

std::unique_ptr<Running> Gloo::begin_sum(const at::Tensor& tensor) {
  const Membership& membership = connection_->membership;
  return guarded(membership, [&] {
    std::vector<at::Tensor> tensors{tensor};
    return std::make_unique<RunningWork>(
        membership, connection_->group->allreduce(tensors, c10d::AllreduceOptions()));
  });
}

void Gloo::copy_from_first(const at::Tensor& tensor) {
  guarded(connection_->membership, [&] {
    std::vector<at::Tensor> tensors{tensor};
    connection_->group->broadcast(tensors, c10d::BroadcastOptions())->wait();
  });
}

void Gloo::gather(const at::Tensor& own, at::Tensor& all) {
  guarded(connection_->membership, [&] {
    at::Tensor input = own;
    connection_->group->_allgather_base(all, input, c10d::AllgatherOptions())->wait();
  });
}

}  // namespace knead::engine::parallel
