#include <array>

#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>

#include "runner/engine/parallel/gradients.h"
#include "tests/engine/parallel/in_ranks.h"

#include <catch2/catch.hpp>  // behind LibTorch, which has a CHECK of its own

namespace knead::engine::parallel {
namespace {

using tests::in_ranks;

/// Returns parameters of several shapes, layouts and dtypes; the last needs no gradient.
NamedTensors parameters() {
  NamedTensors all{{"a", at::zeros({4, 3})},     {"b", at::zeros({5}, at::kDouble)},
                   {"c", at::zeros({2, 3}).t()}, {"d", at::zeros({})},
                   {"e", at::zeros({7})},        {"frozen", at::zeros({2})}};
  for (NamedTensor& each : all) each.tensor.set_requires_grad(each.name != "frozen");
  return all;
}

at::Tensor gradient_of(const at::Tensor& parameter, int rank) {
  const c10::NoGradGuard no_gradients;
  return at::arange(parameter.numel(), at::kDouble)
      .add(10 * rank)
      .view(parameter.sizes())
      .to(parameter.scalar_type());
}

/// Sums gradients over three ranks, of which `has` tells which have one, and returns those of rank
/// 2.
std::vector<at::Tensor> summed(const Sending& sending,
                               const std::function<bool(int rank, std::size_t parameter)>& has,
                               bool early, std::array<double, 2>& numbers) {
  std::vector<at::Tensor> result;
  in_ranks(3, [&](Group& group) {
    const NamedTensors all = parameters();
    Gradients gradients(all, sending, group);
    std::array<double, 2> sums{1, double(group.rank())};
    for (int update = 0; update < 2; ++update) {  // the second finds the buckets as it should
      sums = {1, double(group.rank())};
      for (std::size_t i = all.size(); i-- > 0;) {
        at::Tensor& gradient = all[i].tensor.mutable_grad();
        gradient.reset();
        if (!all[i].tensor.requires_grad() || !has(group.rank(), i)) continue;
        gradient = gradient_of(all[i].tensor, group.rank());
        // Ranks may reach parameters in another order.
        if (early && i % 3 != static_cast<std::size_t>(group.rank()))
          gradients.is_ready(all[i].tensor);
      }
      gradients.is_ready(at::zeros({1}));  // not a parameter
      gradients.send_rest();
      gradients.finish(sums);
    }
    if (group.rank() != 2) return;
    numbers = sums;
    for (const NamedTensor& each : all)
      result.push_back(each.tensor.grad().defined() ? each.tensor.grad().clone() : at::Tensor());
  });
  return result;
}

at::Tensor expected(std::size_t parameter,
                    const std::function<bool(int rank, std::size_t parameter)>& has) {
  at::Tensor sum;
  const at::Tensor tensor = parameters()[parameter].tensor;
  for (int rank = 0; rank < 3; ++rank) {
    if (!has(rank, parameter)) continue;
    const at::Tensor gradient = gradient_of(tensor, rank);
    sum = sum.defined() ? sum.add(gradient) : gradient;
  }
  return sum;
}

TEST_CASE("Gradients are summed over ranks, whatever the buckets", "[parallel]") {
  using Has = std::function<bool(int, std::size_t)>;
  const Has all = [](int, std::size_t) { return true; };
  const Has some = [](int rank, std::size_t i) { return i != 1 && (i != 4 || rank == 1); };
  const Has rank_0_alone = [](int rank, std::size_t) { return rank == 0; };
  for (const Has& has : {all, some, rank_0_alone}) {
    for (const std::uint64_t bucket : {1, 40, 25'000'000}) {
      for (const bool early : {false, true}) {
        std::array<double, 2> numbers{};
        const auto result = summed({.bucket = bucket}, has, early, numbers);
        CHECK(numbers == std::array<double, 2>{3, 3});
        REQUIRE(result.size() == 6);
        CHECK_FALSE(result[5].defined());
        for (std::size_t i = 0; i < 5; ++i) {
          const at::Tensor sum = expected(i, has);
          REQUIRE(result[i].defined() == sum.defined());
          if (!sum.defined()) continue;
          CHECK(result[i].equal(sum));
          CHECK(result[i].strides() == parameters()[i].tensor.strides());
        }
      }
    }
  }
}

TEST_CASE("Gradients may be rounded on the way", "[parallel]") {
  std::array<double, 2> numbers{};
  const auto all = [](int, std::size_t) { return true; };
  const auto result = summed({.bucket = 64, .rounded = at::kBFloat16}, all, true, numbers);
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(result[i].scalar_type() == parameters()[i].tensor.scalar_type());
    CHECK(result[i].allclose(expected(i, all), 0.02));
  }
}

TEST_CASE("The bytes that an update sends are those of the gradients", "[parallel]") {
  Group group;
  CHECK(Gradients(parameters(), {}, group).bytes() == (12 + 6 + 1 + 7) * 4 + 5 * 8);
  CHECK(Gradients(parameters(), {.rounded = at::kHalf}, group).bytes() == (12 + 5 + 6 + 1 + 7) * 2);
}

}  // namespace
}  // namespace knead::engine::parallel
