#include "runner/engine/parallel/gloo.h"

#include <chrono>
#include <cstdlib>
#include <exception>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include "runner/engine/parallel/gathering_in.h"
#include "runner/engine/parallel/group.h"
#include "runner/engine/parallel/lost_rank.h"
#include "runner/engine/parallel/meeting.h"
#include "runner/engine/parallel/ordered_sums.h"

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

class RunningSum final : public Running {
 public:
  RunningSum(const Membership& membership, std::future<void> end)
      : membership_(membership), end_(std::move(end)) {}

  void wait() override {
    guarded(membership_, [&] { end_.get(); });
  }

 private:
  const Membership& membership_;
  std::future<void> end_;
};

/// Connects all ranks a first or a second time; `name` tells these connections from others.
c10::intrusive_ptr<c10d::ProcessGroupGloo> connect(const std::string& name, const Meeting& meeting,
                                                   const Membership& membership) {
  auto options = c10d::ProcessGroupGloo::Options::create();
  // The default device resolves the name of the host, and may listen where nobody needs it.
  options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname(meeting.address));
  options->timeout = in_milliseconds(membership.timeout);
  return c10::make_intrusive<c10d::ProcessGroupGloo>(
      c10::make_intrusive<c10d::PrefixStore>(name, meeting.store), membership.rank,
      membership.ranks, std::move(options));
}

}  // namespace

struct Gloo::Connection {
  Membership membership;
  c10::intrusive_ptr<c10d::ProcessGroupGloo> group;
  std::unique_ptr<OrderedSums> sums;
};

Gloo::~Gloo() = default;

Gloo::Gloo(const Membership& membership)
    : connection_(std::make_unique<Connection>(Connection{membership, {}, {}})) {
  // LibTorch's recorder of collectives costs time, and is not safe for several groups in a process.
  setenv("TORCH_FR_BUFFER_SIZE", "0", /*overwrite=*/0);
  guarded(membership, [&] {
    Meeting meeting = meet(membership);
    connection_->group = connect("messages", meeting, membership);
    // Sums go on in the background, and need an order of their own among the ranks.
    connection_->sums = std::make_unique<OrderedSums>(connect("sums", meeting, membership));
    connection_->group->barrier(c10d::BarrierOptions())->wait();
    leave(meeting);
  });
}

std::unique_ptr<Running> Gloo::begin_sum(const at::Tensor& tensor) {
  return std::make_unique<RunningSum>(connection_->membership, connection_->sums->begin(tensor));
}

std::unique_ptr<Running> Gloo::begin_sum_into(const at::Tensor& tensor, const at::Tensor& target,
                                              const std::vector<plan::Range>& cut) {
  return std::make_unique<RunningSum>(connection_->membership,
                                      connection_->sums->begin_into(tensor, target, cut));
}

std::unique_ptr<Gathering> Gloo::begin_gather(const at::Tensor& tensor,
                                              const std::vector<plan::Range>& cut) {
  return std::make_unique<GatheringIn>(
      tensor, cut,
      std::make_unique<RunningSum>(connection_->membership,
                                   connection_->sums->begin_gather(tensor, cut)));
}

void Gloo::sum(std::span<double> numbers) {
  const int ranks = connection_->membership.ranks;
  const auto count = static_cast<std::int64_t>(numbers.size());
  at::Tensor all = at::empty({count * ranks}, at::kDouble);
  gather(at::from_blob(numbers.data(), {count}, at::kDouble), all);
  const double* const first = all.const_data_ptr<double>();
  for (std::int64_t i = 0; i < count; ++i) {
    double sum = first[i];
    for (int rank = 1; rank < ranks; ++rank) sum += first[rank * count + i];
    numbers[static_cast<std::size_t>(i)] = sum;
  }
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
