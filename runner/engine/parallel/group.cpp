#include "runner/engine/parallel/group.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <utility>

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>
#include <torch/csrc/distributed/c10d/FileStore.hpp>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include "schema/document/error.h"

namespace knead::engine::parallel {
namespace {

/// Returns the error for an exception of LibTorch or Gloo. Gloo tells a timeout from a lost
/// connection only in its text.
Error lost(const std::exception& exception, int rank, const Membership& membership) {
  const std::string text = exception.what();
  const bool is_late =
      text.find("imed out") != std::string::npos || text.find("imeout") != std::string::npos;
  if (is_late)
    return Error(
        fmt::format("rank {} has waited {:g} s for the other ranks", rank, membership.timeout),
        "one of them hangs or is much slower; distributed.timeout sets how long ranks "
        "wait for each other",
        Exit::rank_lost);
  return Error(fmt::format("rank {} has lost the connection to another rank", rank),
               "the rank that ended first says why; a run goes on from its last checkpoint",
               Exit::rank_lost);
}

std::chrono::milliseconds in_milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

at::Tensor view_of(std::span<double> numbers) {
  return at::from_blob(numbers.data(), {static_cast<std::int64_t>(numbers.size())}, at::kDouble);
}

}  // namespace

struct Group::Connection {
  Membership membership;
  c10::intrusive_ptr<c10d::ProcessGroupGloo> gloo;

  /// Calls `operation`, and turns what LibTorch and Gloo throw into the error of a lost rank.
  template <class Operation>
  auto guarded(Operation operation) const {
    try {
      return operation();
    } catch (const Error&) {
      throw;
    } catch (const std::exception& exception) {  // Gloo's are not errors of LibTorch
      throw lost(exception, membership.rank, membership);
    }
  }

  /// Replaces a tensor by its sum or its maximum over ranks.
  void reduce(at::Tensor tensor, c10d::ReduceOp::RedOpType operation) const {
    guarded([&] {
      c10d::AllreduceOptions options;
      options.reduceOp = operation;
      std::vector<at::Tensor> tensors{std::move(tensor)};
      gloo->allreduce(tensors, options)->wait();
    });
  }

  void broadcast(at::Tensor tensor) const {
    guarded([&] {
      std::vector<at::Tensor> tensors{std::move(tensor)};
      gloo->broadcast(tensors, c10d::BroadcastOptions())->wait();
    });
  }
};

struct Group::Sum::Work {
  const Connection& connection;
  c10::intrusive_ptr<c10d::Work> running;
};

Group::Group() = default;
Group::~Group() = default;

Group::Group(const Membership& membership) : rank_(membership.rank), ranks_(membership.ranks) {
  if (ranks_ == 1) return;
  // LibTorch's recorder of collectives costs time, and is not safe for several groups in a process.
  setenv("TORCH_FR_BUFFER_SIZE", "0", /*overwrite=*/0);
  connection_ = std::make_unique<Connection>(Connection{membership, {}});
  connection_->guarded([&] {
    auto store = c10::make_intrusive<c10d::FileStore>(membership.rendezvous, ranks_);
    store->setTimeout(in_milliseconds(membership.timeout));
    // The default device resolves the name of the host, and may listen beyond this machine.
    auto options = c10d::ProcessGroupGloo::Options::create();
    options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1"));
    options->timeout = in_milliseconds(membership.timeout);
    connection_->gloo =
        c10::make_intrusive<c10d::ProcessGroupGloo>(store, rank_, ranks_, std::move(options));
  });
}

Group::Sum Group::begin_sum(const at::Tensor& tensor) {
  Sum sum;
  if (is_alone()) return sum;
  connection_->guarded([&] {
    std::vector<at::Tensor> tensors{tensor};
    sum.work_ = std::make_shared<Sum::Work>(
        Sum::Work{*connection_, connection_->gloo->allreduce(tensors, c10d::AllreduceOptions())});
  });
  return sum;
}

void Group::Sum::wait() {
  if (!work_) return;
  work_->connection.guarded([&] { work_->running->wait(); });
  work_.reset();
}

void Group::sum(std::span<double> numbers) {
  if (!is_alone()) connection_->reduce(view_of(numbers), c10d::ReduceOp::SUM);
}

bool Group::any(bool value) {
  double number = value ? 1 : 0;
  if (!is_alone()) connection_->reduce(view_of({&number, 1}), c10d::ReduceOp::MAX);
  return number != 0;
}

double Group::of_first(double value) {
  if (!is_alone()) connection_->broadcast(view_of({&value, 1}));
  return value;
}

void Group::copy_from_first(const at::Tensor& tensor) {
  if (!is_alone()) connection_->broadcast(tensor);
}

std::string Group::of_first(const std::string& text) {
  if (is_alone()) return text;
  const auto size = static_cast<std::int64_t>(of_first(static_cast<double>(text.size())));
  const at::Tensor bytes = at::zeros({std::max<std::int64_t>(size, 1)}, at::kByte);
  if (is_first()) std::memcpy(bytes.data_ptr(), text.data(), text.size());
  connection_->broadcast(bytes);
  return {static_cast<const char*>(bytes.data_ptr()), static_cast<std::size_t>(size)};
}

std::vector<std::string> Group::gather(const std::string& text) {
  if (is_alone()) return {text};
  std::vector<double> sizes(static_cast<std::size_t>(ranks_), 0);
  sizes[static_cast<std::size_t>(rank_)] = static_cast<double>(text.size());
  sum(sizes);
  const double longest = *std::max_element(sizes.begin(), sizes.end());
  // Padded, because Gloo gathers equal lengths.
  const auto length = std::max<std::int64_t>(static_cast<std::int64_t>(longest), 1);
  at::Tensor own = at::zeros({length}, at::kByte);
  std::memcpy(own.data_ptr(), text.data(), text.size());
  at::Tensor all = at::empty({length * ranks_}, at::kByte);
  connection_->guarded(
      [&] { connection_->gloo->_allgather_base(all, own, c10d::AllgatherOptions())->wait(); });
  std::vector<std::string> texts;
  const char* const begin = static_cast<const char*>(all.data_ptr());
  for (std::size_t i = 0; i < sizes.size(); ++i)
    texts.emplace_back(begin + static_cast<std::int64_t>(i) * length,
                       static_cast<std::size_t>(sizes[i]));
  return texts;
}

}  // namespace knead::engine::parallel
