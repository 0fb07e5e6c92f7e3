#include <chrono>
#include <csignal>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <fmt/format.h>

#include "runner/engine/parallel/neighbours.h"
#include "runner/engine/parallel/shared_sums.h"
#include "schema/document/error.h"
#include "tests/engine/parallel/in_ranks.h"
#include "tests/folder.h"

#include <catch2/catch.hpp>  // behind LibTorch, which has a CHECK of its own

namespace knead::engine::parallel {
namespace {

using tests::as_members;
using tests::in_ranks;
using Clock = std::chrono::steady_clock;

/// Returns what a rank adds: numbers whose sum depends on the order in which they are added.
at::Tensor summand(std::int64_t count, at::ScalarType type, int rank, int round) {
  return at::arange(count, at::kDouble)
      .mul(1.0 + rank)
      .add(round)
      .sin()
      .mul(rank % 2 == 0 ? 1e3 : 1e-3)
      .to(type);
}

at::Tensor expected_sum(std::int64_t count, at::ScalarType type, int ranks, int round) {
  const at::ScalarType added = c10::elementSize(type) == 2 ? at::kFloat : type;
  at::Tensor sum = summand(count, type, 0, round).to(added);
  for (int rank = 1; rank < ranks; ++rank) sum.add_(summand(count, type, rank, round).to(added));
  return sum.to(type);
}

TEST_CASE("Sums of any size and dtype are those of adding in the order of the ranks",
          "[parallel]") {
  // One number, parts of a cache line, of a chunk and of a round of chunks.
  const std::vector<std::int64_t> counts{1, 15, 16, 17, 1000, 65'537, 400'003};
  for (const int ranks : {2, 3, 4}) {
    for (const at::ScalarType type : {at::kFloat, at::kDouble, at::kBFloat16, at::kHalf}) {
      std::vector<std::string> wrong(static_cast<std::size_t>(ranks));
      in_ranks(ranks, [&](Group& group) {
        std::vector<at::Tensor> tensors;
        for (const std::int64_t count : counts) tensors.push_back(group.make_summand(count, type));
        for (int round = 0; round < 3; ++round) {
          std::vector<Group::Sum> sums;
          for (const at::Tensor& tensor : tensors) {
            tensor.copy_(summand(tensor.numel(), type, group.rank(), round));
            sums.push_back(group.begin_sum(tensor));
          }
          for (std::size_t i = sums.size(); i-- > 0;) sums[i].wait();  // in any order
          for (const at::Tensor& tensor : tensors)
            if (!tensor.equal(expected_sum(tensor.numel(), type, ranks, round)))
              wrong[static_cast<std::size_t>(group.rank())] +=
                  fmt::format("{} numbers in round {}; ", tensor.numel(), round);
        }
      });
      for (const std::string& each : wrong) CHECK(each == "");
    }
  }
}

TEST_CASE("A sum is the same however late a rank comes", "[parallel]") {
  constexpr std::int64_t kCount = 300'000;
  std::vector<int> right(2);
  in_ranks(2, [&](Group& group) {
    const at::Tensor tensor = group.make_summand(kCount, at::kFloat);
    for (int round = 0; round < 6; ++round) {
      tensor.copy_(summand(kCount, at::kFloat, group.rank(), round));
      if (group.rank() == round % 2) std::this_thread::sleep_for(std::chrono::milliseconds(30));
      Group::Sum sum = group.begin_sum(tensor);
      if (round > 3) std::this_thread::sleep_for(std::chrono::milliseconds(5));  // its thread adds
      sum.wait();
      right[static_cast<std::size_t>(group.rank())] +=
          tensor.equal(expected_sum(kCount, at::kFloat, 2, round)) ? 1 : 0;
    }
  });
  CHECK(right == std::vector<int>{6, 6});
}

TEST_CASE("A tensor outlives the group that shares it", "[parallel]") {
  std::vector<double> kept(2);
  as_members(2, 60, [&](const Membership& member) {
    at::Tensor tensor;
    {
      Group group(member);
      tensor = group.make_summand(1000, at::kDouble);
      tensor.fill_(1 + member.rank);
      group.begin_sum(tensor).wait();
    }
    kept[static_cast<std::size_t>(member.rank)] = tensor.sum().item<double>();
  });
  CHECK(kept == std::vector<double>{3000, 3000});
}

TEST_CASE("A tensor of another memory is added up as well", "[parallel]") {
  std::vector<at::Tensor> sums(2);
  in_ranks(2, [&](Group& group) {
    at::Tensor& tensor = sums[static_cast<std::size_t>(group.rank())];
    tensor = at::full({100}, 1 + group.rank(), at::kFloat);
    group.begin_sum(tensor).wait();
  });
  CHECK(sums[0].equal(at::full({100}, 3, at::kFloat)));
  CHECK(sums[1].equal(sums[0]));
}

/// Waits for a sum of two ranks as rank 0, while rank 1, a process of its own, is killed before it
/// takes part. Returns the message of the error.
std::string sum_without(const std::string& rendezvous, int signal, double timeout) {
  const pid_t other = fork();
  const bool is_child = other == 0;
  try {
    const int rank = is_child ? 1 : 0;
    Group group({.rank = rank,
                 .ranks = 2,
                 .local_rank = rank,
                 .local_ranks = 2,
                 .rendezvous = rendezvous,
                 .timeout = timeout});
    const at::Tensor tensor = group.make_summand(500'000, at::kFloat);
    group.any(false);
    if (is_child) raise(signal);
    group.begin_sum(tensor).wait();
  } catch (const Error& error) {
    if (is_child) _exit(1);
    kill(other, SIGKILL);
    waitpid(other, nullptr, 0);
    const bool is_loss = error.code() == Exit::rank_lost || error.code() == Exit::lost_another;
    return is_loss ? error.what() : "another code";
  }
  if (is_child) _exit(0);
  return "no error";
}

TEST_CASE("A rank that is killed or stopped is found", "[parallel]") {
  const knead::tests::Folder folder;
  const auto begin = Clock::now();
  CHECK(sum_without((folder.path() / "killed").string(), SIGKILL, 60) ==
        "rank 0 has lost the connection to another rank");
  CHECK(Clock::now() - begin < std::chrono::seconds(5));
  CHECK(sum_without((folder.path() / "stopped").string(), SIGSTOP, 1) ==
        "rank 0 has waited 1 s for the other ranks");
}

}  // namespace
}  // namespace knead::engine::parallel
