#include <array>

#include <ATen/ops/arange.h>
#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>

#include "runner/engine/parallel/sharded_gradients.h"
#include "runner/engine/parallel/shards.h"
#include "tests/engine/parallel/in_ranks.h"

#include <catch2/catch.hpp>  // behind LibTorch, which has a CHECK of its own

namespace knead::engine::parallel {
namespace {

using tests::as_members;
using tests::in_ranks;

/// Returns numbers that differ by parameter and position.
at::Tensor numbers(const at::Tensor& like, double factor) {
  return at::arange(like.numel(), at::kDouble)
      .mul(factor)
      .sin()
      .view(like.sizes())
      .to(like.scalar_type());
}

/// Returns parameters of several shapes, layouts and dtypes; one needs no gradient.
NamedTensors parameters() {
  const c10::NoGradGuard no_gradients;
  NamedTensors all{{"a", at::zeros({40, 30})},    {"b", at::zeros({5}, at::kDouble)},
                   {"c", at::zeros({20, 3}).t()}, {"d", at::zeros({})},
                   {"frozen", at::zeros({2})},    {"e", at::zeros({700})}};
  double factor = 0.3;
  for (NamedTensor& each : all) each.tensor.copy_(numbers(each.tensor, factor += 0.1));
  for (NamedTensor& each : all) each.tensor.set_requires_grad(each.name != "frozen");
  return all;
}

struct Case {
  int ranks;
  Sharding sharding;
};

/// Lists divisions of every kind; small buckets make several portions.
std::vector<Case> cases() {
  std::vector<Case> all;
  for (const bool whole : {false, true}) {
    for (const std::uint64_t bucket : {600, 1'000'000}) {
      const Sharding sharding{.whole_tensors = whole, .bucket = bucket};
      all.push_back({2, sharding});
      all.push_back({3, sharding});
      all.push_back({4, sharding});
      all.push_back({4, sharding});
      all.back().sharding.replicas = 2;
    }
  }
  return all;
}

at::Tensor gradient_of(const at::Tensor& parameter, int rank, int pass) {
  return numbers(parameter, 0.7 + rank + 10 * pass);
}

/// Returns the sum over ranks and passes of the numbers of a piece, in the order of
/// ShardedGradients.
at::Tensor expected(const at::Tensor& parameter, const PiecePlace& place, int ranks, int passes) {
  at::Tensor sum = at::zeros({place.count}, parameter.scalar_type());
  for (int pass = 0; pass < passes; ++pass) {
    at::Tensor once = gradient_of(parameter, 0, pass);
    for (int rank = 1; rank < ranks; ++rank) once = once.add(gradient_of(parameter, rank, pass));
    sum = sum.add(once.reshape(-1).narrow(0, place.begin, place.count));
  }
  return sum;
}

/// Returns how often pieces of one replica hold each number of each parameter.
void count_numbers_held(const Shards& shards, std::vector<std::vector<int>>& held) {
  for (const PiecePlace& place : shards.places())
    for (std::int64_t i = 0; i < place.count; ++i)
      ++held[place.parameter][static_cast<std::size_t>(place.begin + i)];
}

TEST_CASE("Pieces of all ranks hold each trained number once", "[shards]") {
  for (const Case& each : cases()) {
    std::vector<std::vector<std::vector<int>>> held(static_cast<std::size_t>(each.ranks));
    for (auto& rank : held)
      for (const NamedTensor& parameter : parameters())
        rank.emplace_back(static_cast<std::size_t>(parameter.tensor.numel()), 0);
    in_ranks(each.ranks, [&](Group& group) {
      const NamedTensors all = parameters();
      const Shards shards(all, each.sharding, group);
      if (shards.is_first_replica())
        count_numbers_held(shards, held[static_cast<std::size_t>(group.rank())]);
    });
    const NamedTensors all = parameters();
    for (std::size_t i = 0; i < all.size(); ++i) {
      std::vector<int> total(static_cast<std::size_t>(all[i].tensor.numel()), 0);
      for (const auto& rank : held)
        for (std::size_t k = 0; k < total.size(); ++k) total[k] += rank[i][k];
      CHECK(total == std::vector<int>(total.size(), all[i].name == "frozen" ? 0 : 1));
    }
  }
}

TEST_CASE("Pieces have the sums of the gradients of all ranks", "[shards]") {
  for (const Case& each : cases()) {
    for (const bool each_pass : {false, true}) {
      std::vector<int> wrong(static_cast<std::size_t>(each.ranks), 0);
      in_ranks(each.ranks, [&](Group& group) {
        const NamedTensors all = parameters();
        Shards shards(all, each.sharding, group);
        ShardedGradients gradients(shards, each_pass);
        int& mistakes = wrong[static_cast<std::size_t>(group.rank())];
        for (int update = 0; update < 3; ++update) {
          const int passes = each_pass ? 2 : 1;
          for (int pass = 0; pass < passes; ++pass) {
            for (std::size_t i = all.size(); i-- > 0;) {
              // No rank has a gradient for "d", and rank 0 none for "b".
              if (!all[i].tensor.requires_grad() || all[i].name == "d") continue;
              if (all[i].name == "b" && group.rank() == 0) continue;
              all[i].tensor.mutable_grad() = gradient_of(all[i].tensor, group.rank(), pass);
              if (update > 0) gradients.is_ready(all[i].tensor);
            }
            gradients.is_ready(at::zeros({1}));  // not a parameter
            gradients.send_rest();
          }
          std::array<double, 2> sums{1, double(group.rank())};
          gradients.finish(sums);
          mistakes += sums != std::array<double, 2>{double(each.ranks),
                                                    each.ranks * (each.ranks - 1) / 2.0};
          for (std::size_t i = 0; i < shards.pieces().size(); ++i) {
            const auto& [name, piece] = shards.pieces()[i];
            const PiecePlace& place = shards.places()[i];
            mistakes += gradients.has_gradient(all[place.parameter].tensor) == (name == "d");
            mistakes += piece.grad().defined() == (name == "d");
            if (name == "d" || name == "b") continue;
            const at::Tensor sum = expected(all[place.parameter].tensor, place, each.ranks, passes);
            mistakes += !piece.grad().reshape(-1).equal(sum);
          }
        }
      });
      CHECK(wrong == std::vector<int>(wrong.size(), 0));
    }
  }
}

TEST_CASE("Ranks have the same parameters after a gather", "[shards]") {
  for (const Case& each : cases()) {
    for (const bool is_rounded : {false, true}) {
      std::vector<int> wrong(static_cast<std::size_t>(each.ranks), 0);
      in_ranks(each.ranks, [&](Group& group) {
        const c10::NoGradGuard no_gradients;
        const NamedTensors all = parameters();
        const NamedTensors before = parameters();
        Sharding sharding = each.sharding;
        if (is_rounded) sharding.gathered = at::kBFloat16;
        Shards shards(all, sharding, group);
        for (const NamedTensor& piece : shards.pieces()) piece.tensor.mul_(3);
        shards.gather();
        int& mistakes = wrong[static_cast<std::size_t>(group.rank())];
        for (std::size_t i = 0; i < all.size(); ++i) {
          const bool is_trained = all[i].name != "frozen";
          at::Tensor now = is_trained ? before[i].tensor.mul(3) : before[i].tensor;
          if (is_rounded && is_trained) now = now.to(at::kBFloat16).to(now.scalar_type());
          mistakes += !all[i].tensor.equal(now);
        }
        std::size_t seen = 0;
        shards.visit_whole([&](const NamedTensor& parameter) {
          for (const NamedTensor& one : before)
            if (one.name == parameter.name) mistakes += !parameter.tensor.equal(one.tensor.mul(3));
          ++seen;
        });
        mistakes += seen != all.size() - 1;
      });
      CHECK(wrong == std::vector<int>(wrong.size(), 0));
    }
  }
}

/// Opens units in passes of several orders, whose parameters double between them. Returns how many
/// parameters of opened units did not have the numbers of their owners.
int wrong_units(const Sharding& sharding, Group& group) {
  const c10::NoGradGuard no_gradients;
  const NamedTensors all = parameters();
  const NamedTensors before = parameters();
  Shards shards(all, sharding, group);
  double factor = 1;
  int mistakes = 0;
  // A pass like the last is foretold; the others begin units that nobody needs.
  using Pass = std::vector<std::size_t>;
  for (const Pass& pass : {Pass{0, 1, 2, 3, 3, 2, 1}, Pass{0, 1, 2, 3, 3, 2, 1}, Pass{0, 3, 1, 2},
                           Pass{1, 2, 1, 2, 1, 2}, Pass{0, 1, 2, 3, 3, 2, 1}, Pass{}, Pass{2}}) {
    for (const std::size_t unit : pass) {
      shards.open(unit);
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (sharding.units[i] != unit) continue;
        at::Tensor now = before[i].tensor.mul(factor);
        if (sharding.gathered) now = now.to(at::kBFloat16).to(now.scalar_type());
        mistakes += !all[i].tensor.equal(now);
      }
      if (unit != 0) shards.close(unit);
    }
    shards.end_pass();
    for (const NamedTensor& piece : shards.pieces()) piece.tensor.mul_(2);
    factor *= 2;
    shards.gather();
  }
  return mistakes;
}

TEST_CASE("Units have the numbers of their owners, whichever was begun ahead", "[shards]") {
  for (const Case& each : cases()) {
    for (const bool is_rounded : {false, true}) {
      Sharding sharding = each.sharding;
      sharding.units = {0, 1, 1, 2, 3, 3};
      if (is_rounded) sharding.gathered = at::kBFloat16;
      for (const bool shares_memory : {false, true}) {
        std::vector<int> wrong(static_cast<std::size_t>(each.ranks), 0);
        as_members(each.ranks, 60, [&](Membership member) {
          if (!shares_memory) member.local_ranks = 1;
          Group group(member);
          wrong[static_cast<std::size_t>(group.rank())] = wrong_units(sharding, group);
          group.any(false);  // a rank that ends early would end the messages of others
        });
        CHECK(wrong == std::vector<int>(wrong.size(), 0));
      }
    }
  }
}

}  // namespace
}  // namespace knead::engine::parallel
