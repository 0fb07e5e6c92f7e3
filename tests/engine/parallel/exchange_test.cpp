#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/zeros.h>

#include "runner/engine/parallel/exchange.h"
#include "runner/engine/parallel/gloo.h"
#include "tests/engine/parallel/in_ranks.h"

#include <catch2/catch.hpp>  // behind LibTorch, which has a CHECK of its own

namespace knead::engine::parallel {
namespace {

using tests::as_members;
using tests::in_ranks;
using Cut = std::vector<plan::Range>;

constexpr std::int64_t kCount = 300'000;

/// Returns cuts for so many shards: of equal and of unequal ranges, with an empty one.
std::vector<Cut> cuts(int shards) {
  Cut even, uneven;
  const auto part = static_cast<std::uint64_t>(kCount / shards);
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(shards); ++i) {
    even.push_back({i * part, (i + 1) * part});
    uneven.push_back({i == 0 ? 0 : 70'001u, i == 0 ? 70'001u : 70'001u});
  }
  uneven.back().end = kCount;
  return {even, uneven};
}

at::Tensor numbers_of(int rank, int round, at::ScalarType type) {
  return at::arange(kCount, at::kDouble).mul(rank + 1.1).add(round).sin().to(type);
}

/// Returns what a rank's target grows by: the sum in the order of the ranks.
at::Tensor expected(int ranks, int round, at::ScalarType type, const plan::Range& range) {
  const at::ScalarType added = c10::elementSize(type) == 2 ? at::kFloat : type;
  at::Tensor sum = numbers_of(0, round, type).to(added);
  for (int rank = 1; rank < ranks; ++rank) sum = sum.add(numbers_of(rank, round, type));
  return sum.narrow(0, static_cast<std::int64_t>(range.begin),
                    static_cast<std::int64_t>(range.size()));
}

const plan::Range& own(const Cut& cut, int rank) {
  return cut[static_cast<std::size_t>(rank) % cut.size()];
}

at::Tensor target_of(const plan::Range& range, at::ScalarType type) {
  const at::ScalarType added = c10::elementSize(type) == 2 ? at::kFloat : type;
  return at::zeros({static_cast<std::int64_t>(range.size())}, added);
}

void check_sums(int ranks, int shards, at::ScalarType type) {
  for (const Cut& cut : cuts(shards)) {
    std::vector<at::Tensor> shared(static_cast<std::size_t>(ranks)), sent(shared);
    in_ranks(ranks, [&](Group& group) {
      const at::Tensor target = target_of(own(cut, group.rank()), type);
      Exchange exchange(kCount, at::TensorOptions().dtype(type), group);
      for (int round = 0; round < 3; ++round) {
        exchange.numbers().copy_(numbers_of(group.rank(), round, type));
        exchange.begin_sum_into(target, cut);
      }
      exchange.finish();
      shared[static_cast<std::size_t>(group.rank())] = target;
    });
    as_members(ranks, 60, [&](const Membership& member) {
      Gloo gloo(member);
      const at::Tensor target = target_of(own(cut, member.rank), type);
      for (int round = 0; round < 3; ++round)
        gloo.begin_sum_into(numbers_of(member.rank, round, type), target, cut)->wait();
      sent[static_cast<std::size_t>(member.rank)] = target;
    });
    for (int rank = 0; rank < ranks; ++rank) {
      at::Tensor sum = target_of(own(cut, rank), type);
      for (int round = 0; round < 3; ++round)
        sum.add_(expected(ranks, round, type, own(cut, rank)));
      CHECK(shared[static_cast<std::size_t>(rank)].equal(sum));
      CHECK(sent[static_cast<std::size_t>(rank)].equal(sum));
    }
  }
}

TEST_CASE("A rank adds up the range of its shard", "[parallel]") {
  for (const at::ScalarType type : {at::kFloat, at::kDouble, at::kBFloat16}) {
    check_sums(2, 2, type);
    check_sums(3, 3, type);
    check_sums(4, 2, type);  // two replicas
  }
}

/// Writes this rank's range only: each replica has numbers of its own here, to see which are read.
void fill_own(const at::Tensor& numbers, int rank, const Cut& cut, int round) {
  const plan::Range& range = own(cut, rank);
  numbers.narrow(0, static_cast<std::int64_t>(range.begin), static_cast<std::int64_t>(range.size()))
      .fill_(100 * round + rank);
}

TEST_CASE("A rank reads the ranges of its replica", "[parallel]") {
  struct Case {
    int ranks, shards;
  };
  for (const auto& [ranks, shards] : {Case{2, 2}, Case{3, 3}, Case{4, 2}}) {
    for (const Cut& cut : cuts(shards)) {
      std::vector<std::vector<at::Tensor>> shared(static_cast<std::size_t>(ranks)), sent(shared);
      in_ranks(ranks, [&](Group& group) {
        Exchange exchange(kCount, at::kFloat, group);
        for (int round = 0; round < 3; ++round) {
          fill_own(exchange.numbers(), group.rank(), cut, round);
          exchange.begin_gather(cut);
          std::vector<at::Tensor> parts;
          exchange.read(
              [&](std::size_t, const at::Tensor& part) { parts.push_back(part.clone()); });
          shared[static_cast<std::size_t>(group.rank())].push_back(at::cat(parts));
        }
        exchange.finish();
      });
      as_members(ranks, 60, [&](const Membership& member) {
        Gloo gloo(member);
        for (int round = 0; round < 3; ++round) {
          const at::Tensor numbers = at::zeros({kCount});
          fill_own(numbers, member.rank, cut, round);
          const auto gathering = gloo.begin_gather(numbers, cut);
          gathering->wait();
          sent[static_cast<std::size_t>(member.rank)].push_back(numbers);
        }
      });
      for (int rank = 0; rank < ranks; ++rank) {
        for (int round = 0; round < 3; ++round) {
          const at::Tensor all = at::zeros({kCount});
          for (int shard = 0; shard < shards; ++shard)
            fill_own(all, rank - rank % shards + shard, cut, round);
          CHECK(shared[static_cast<std::size_t>(rank)][static_cast<std::size_t>(round)].equal(all));
          CHECK(sent[static_cast<std::size_t>(rank)][static_cast<std::size_t>(round)].equal(all));
        }
      }
    }
  }
}

}  // namespace
}  // namespace knead::engine::parallel
