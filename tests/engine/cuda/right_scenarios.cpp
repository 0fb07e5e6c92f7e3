#include <array>
#include <filesystem>

#include <ATen/ops/arange.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>
#include <fmt/format.h>

#include "runner/engine/device/device.h"
#include "runner/engine/parallel/copies.h"
#include "runner/engine/parallel/gradients.h"
#include "tests/engine/cuda/nccl_rank.h"
#include "tests/engine/train/short_run.h"
#include "tests/folder.h"

namespace knead::engine::cuda {
namespace {

using parallel::Group;

/// Returns numbers of a rank that all types hold exactly, so that their sums are exact too.
at::Tensor numbers_of(int rank, std::int64_t count, at::ScalarType type) {
  return at::arange(count, at::kLong).remainder(7).add(rank).to(type);
}

at::Tensor sums_of(int ranks, std::int64_t count, at::ScalarType type) {
  at::Tensor sums = numbers_of(0, count, type);
  for (int rank = 1; rank < ranks; ++rank) sums = sums.add(numbers_of(rank, count, type));
  return sums;
}

/// Adds numbers of all types and several lengths, of which several are on their way at once.
std::string sums(Group& group) {
  int right = 0;
  for (const at::ScalarType type : {at::kFloat, at::kBFloat16, at::kHalf, at::kDouble}) {
    for (const std::int64_t count : {1, 3, 100'003}) {
      std::array<at::Tensor, 3> tensors;
      std::array<Group::Sum, 3> running;
      for (std::size_t i = 0; i < 3; ++i) {
        tensors[i] = on_device(numbers_of(group.rank(), count + std::int64_t(i), type));
        running[i] = group.begin_sum(tensors[i]);
      }
      for (std::size_t i = 0; i < 3; ++i) {
        running[i].wait();
        const at::Tensor expected = sums_of(group.ranks(), count + std::int64_t(i), type);
        right += tensors[i].cpu().equal(expected) ? 1 : 0;
      }
    }
  }
  return fmt::format("{} sums are right", right);
}

/// Copies tensors of several types and layouts, some of them in host memory.
std::string copies(Group& group) {
  const auto made_by = [](int rank) {
    return std::vector<at::Tensor>{
        on_device(at::full({}, rank + 1, at::kLong)), at::full({3}, 0.5 + rank, at::kDouble),
        on_device(at::full({3}, rank == 0, at::kBool)),
        on_device(at::arange(6, at::kFloat)).mul(rank + 1).view({2, 3}).t(),
        on_device(at::full({0, 4}, 1.0))};
  };
  const std::vector<at::Tensor> tensors = made_by(group.rank());
  parallel::copy_from_first(tensors, group);
  const std::vector<at::Tensor> first = made_by(0);
  int right = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i)
    right += tensors[i].cpu().equal(first[i].cpu()) ? 1 : 0;
  return fmt::format("{} tensors are those of rank 0", right);
}

/// Adds the gradients of parameters that ranks reach in different orders; one has none on rank 0.
std::string gradients(Group& group) {
  NamedTensors parameters;
  for (const std::int64_t size : {5, 70, 300, 9, 1000})
    parameters.push_back({"p", on_device(at::zeros({size})).set_requires_grad(true)});
  parallel::Gradients all(parameters, {.bucket = 400}, group);
  int right = 0;
  for (int update = 0; update < 2; ++update) {
    std::array<double, 1> ranks{1};
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const std::size_t k = group.is_first() ? parameters.size() - 1 - i : i;
      const at::Tensor& parameter = parameters[k].tensor;
      const c10::NoGradGuard no_gradients;
      at::Tensor& gradient = parameter.mutable_grad();
      gradient.reset();
      if (k == 1 && group.is_first()) continue;
      gradient = on_device(numbers_of(group.rank(), parameter.numel(), at::kFloat));
      all.is_ready(parameter);
    }
    all.send_rest();
    all.finish(ranks);
    for (std::size_t k = 0; k < parameters.size(); ++k) {
      at::Tensor expected = sums_of(group.ranks(), parameters[k].tensor.numel(), at::kFloat);
      if (k == 1) expected -= numbers_of(0, parameters[k].tensor.numel(), at::kFloat);
      const at::Tensor& sum = parameters[k].tensor.grad();
      right += sum.defined() && sum.cpu().equal(expected) && ranks[0] == group.ranks() ? 1 : 0;
    }
  }
  return fmt::format("{} gradients are right", right);
}

/// Trains a model with batch norm, whose buffers rank 0 gives to the others.
std::string training(Group& group) {
  const knead::tests::Folder folder;
  const recipe::Recipe recipe =
      short_recipe("diabetes", {"train.until=6 steps", "track.every=1 step", "clip=null",
                                fmt::format("distributed.ranks={}", group.ranks())});
  // The group outlives the run; the pointer does not own it.
  const ShortRun run =
      train(recipe, 6, nullptr, folder.path(), std::shared_ptr<Group>(&group, [](Group*) {}));
  return fmt::format("weights {}\n{}", run.state.tensors, run.losses);
}

}  // namespace

std::map<std::string, Scenario> right_scenarios() {
  return {{"sums", sums}, {"copies", copies}, {"gradients", gradients}, {"training", training}};
}

}  // namespace knead::engine::cuda
