#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/sin.h>

#include "runner/engine/parallel/gloo.h"
#include "runner/engine/parallel/group.h"
#include "schema/document/error.h"
#include "tests/engine/parallel/in_ranks.h"

#include <catch2/catch.hpp>  // behind LibTorch, which has a CHECK of its own

namespace knead::engine::parallel {
namespace {

using tests::as_members;

// The ranks of a group share memory where they can, which is so in tests: Gloo is tested by itself.

TEST_CASE("Gloo adds, copies and gathers tensors of ranks", "[parallel]") {
  for (const int ranks : {2, 3}) {
    std::vector<std::vector<at::Tensor>> results(static_cast<std::size_t>(ranks));
    as_members(ranks, 60, [&](const Membership& member) {
      Gloo gloo(member);
      at::Tensor sum = at::arange(10'001, at::kFloat).add(member.rank);
      gloo.begin_sum(sum)->wait();
      at::Tensor rounded = at::full({7}, 1 + member.rank, at::kBFloat16);
      gloo.begin_sum(rounded)->wait();
      at::Tensor copied = at::full({5}, member.rank + 1, at::kLong);
      gloo.copy_from_first(copied);
      at::Tensor all = at::empty({2 * ranks}, at::kByte);
      gloo.gather(at::full({2}, member.rank, at::kByte), all);
      results[static_cast<std::size_t>(member.rank)] = {sum, rounded, copied, all};
    });
    const double both = ranks * (ranks - 1) / 2;
    for (const auto& result : results) {
      CHECK(result[0].equal(at::arange(10'001, at::kFloat).mul(ranks).add(both)));
      CHECK(result[1].equal(at::full({7}, ranks + both, at::kBFloat16)));
      CHECK(result[2].equal(at::full({5}, 1, at::kLong)));
      for (int rank = 0; rank < ranks; ++rank)
        CHECK(result[3].narrow(0, 2 * rank, 2).equal(at::full({2}, rank, at::kByte)));
    }
  }
}

TEST_CASE("Gloo adds in the order of the ranks, as ranks of one machine do", "[parallel]") {
  constexpr int kRanks = 4;
  const auto numbers_of = [](int rank, at::ScalarType type) {
    return at::arange(1'003, at::kDouble).mul(rank + 1.1).sin().to(type);
  };
  for (const at::ScalarType type : {at::kFloat, at::kDouble, at::kBFloat16, at::kHalf}) {
    std::vector<at::Tensor> sums(kRanks);
    std::vector<std::vector<double>> sums_of_numbers(kRanks);
    as_members(kRanks, 60, [&](const Membership& member) {
      Gloo gloo(member);
      const at::Tensor own = numbers_of(member.rank, type);
      gloo.begin_sum(own)->wait();
      std::vector<double> numbers{0.1 * (member.rank + 1), 1e16 * (member.rank % 2), 1};
      gloo.sum(numbers);
      sums[static_cast<std::size_t>(member.rank)] = own;
      sums_of_numbers[static_cast<std::size_t>(member.rank)] = numbers;
    });
    const bool is_short = c10::elementSize(type) == 2;
    at::Tensor expected = numbers_of(0, type).to(is_short ? at::kFloat : type);
    for (int rank = 1; rank < kRanks; ++rank) expected = expected.add(numbers_of(rank, type));
    for (const at::Tensor& sum : sums) CHECK(sum.equal(expected.to(type)));
    const double tenths = ((0.1 * 1 + 0.1 * 2) + 0.1 * 3) + 0.1 * 4;
    for (const auto& numbers : sums_of_numbers)
      CHECK(numbers == std::vector<double>{tenths, 2e16, 4});
  }
}

TEST_CASE("A rank that Gloo loses is an error", "[parallel]") {
  std::string message;
  as_members(2, 60, [&](const Membership& member) {
    Gloo gloo(member);
    at::Tensor numbers = at::full({3}, 1.0);
    gloo.begin_sum(numbers)->wait();  // both are connected
    if (member.rank == 1) return;
    try {
      gloo.begin_sum(numbers)->wait();
    } catch (const Error& error) {
      message = error.what();
    }
  });
  CHECK(message == "rank 0 has lost the connection to another rank");
}

}  // namespace
}  // namespace knead::engine::parallel
