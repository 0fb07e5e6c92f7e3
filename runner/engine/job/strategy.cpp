#include "runner/engine/job/strategy.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "runner/engine/device/device.h"
#include "runner/engine/job/divide.h"
#include "runner/engine/job/units.h"
#include "runner/files/machine_memory.h"
#include "schema/document/error.h"

namespace knead::engine {
namespace {

std::uint64_t bytes_of(const at::Tensor& tensor) {
  return static_cast<std::uint64_t>(tensor.numel() * tensor.element_size());
}

/// Fills in the bytes outside of all units and those of the largest unit. A model whose units
/// cannot be chosen has one, which is the whole.
void fill_units(const Job& job, plan::ModelBytes& bytes) {
  const model::Model& model = *job.trained.model;
  const ModelUnits units = units_of(model, job.recipe.distributed.units);
  std::vector<std::uint64_t> sizes(units.paths.size() + 1, 0);
  for (std::size_t i = 0; i < units.of_parameters.size(); ++i)
    sizes[units.of_parameters[i]] += bytes_of(model.parameters()[i].tensor);
  bytes.outside = sizes[0];
  for (std::size_t unit = 1; unit < sizes.size(); ++unit)
    bytes.unit = std::max(bytes.unit, sizes[unit]);
}

/// Returns how many bytes of the optimizer's state are in the memory of the device at a time.
std::uint64_t state_at_once(const recipe::Distributed& rule) {
  if (!rule.offload) return plan::kWholeState;
  if (!device().is_cpu()) return 0;  // the host updates copies of the parameters
  return rule.offload->path ? plan::kOffloadedAtOnce : plan::kWholeState;
}

/// Returns how many bytes of the parameters that a rank owns are in the memory of the device at a
/// time.
std::uint64_t owned_at_once(const recipe::Distributed& rule) {
  if (!keeps_parameters(rule)) return plan::kWholeState;
  if (!device().is_cpu()) return 0;
  return plan::kOffloadedAtOnce / 2;  // they have half of the bytes of Adam's state
}

std::string replica_words(const recipe::Distributed& rule) {
  return rule.replicas == 1 ? "" : fmt::format(", {} replicas", rule.replicas);
}

/// Returns the bytes that a rank may hold. Throws knead::Error if they are not known.
double known_memory(const recipe::Recipe& recipe) {
  if (const auto memory = memory_of_rank(recipe)) return *memory;
  throw Error("distributed.strategy auto needs distributed.memory on a GPU",
              "write what a rank may hold, such as distributed.memory: 24 GB",
              Exit::invalid_recipe);
}

}  // namespace

plan::ModelBytes model_bytes(const Job& job) {
  plan::ModelBytes bytes;
  for (const NamedTensor& parameter : job.trained.model->parameters()) {
    const std::uint64_t size = bytes_of(parameter.tensor);
    bytes.parameters += size;
    if (!parameter.tensor.requires_grad()) continue;
    bytes.trained += size;
    bytes.largest = std::max(bytes.largest, size);
  }
  bytes.optimizer = job.trained.optimizer->state_bytes();
  if (job.recipe.average) bytes.averages = bytes.parameters;
  fill_units(job, bytes);
  return bytes;
}

plan::Cutting cutting_of(const recipe::Recipe& recipe) {
  const recipe::Distributed& rule = recipe.distributed;
  const std::int64_t ranks = rule.ranks.value();
  const auto bucket = static_cast<std::uint64_t>(rule.bucket.value);
  return {.ranks = static_cast<std::uint64_t>(ranks),
          .replicas = static_cast<std::uint64_t>(rule.replicas),
          .bucket = device().is_cpu() ? std::min(bucket, parallel::Group::kMostInMemory) : bucket,
          .shares_memory = device().is_cpu(),
          .accumulates = recipe.batch.size > ranks * recipe.batch.micro.value(),
          .rounds = rule.gather == recipe::Distributed::Gather::bf16,
          // Copies are in the memory of the host, or on the disk that keeps the state.
          .copies = device().is_cpu() && !(rule.offload && rule.offload->path),
          .state_at_once = state_at_once(rule),
          .owned_at_once = owned_at_once(rule)};
}

std::optional<double> memory_of_rank(const recipe::Recipe& recipe) {
  if (recipe.distributed.memory) return recipe.distributed.memory->value;
  if (!device().is_cpu()) return std::nullopt;
  return static_cast<double>(files::machine_memory()) /
         static_cast<double>(recipe.distributed.ranks.value());
}

plan::Choice chosen_strategy(const Job& job, const plan::ModelBytes& model) {
  return plan::first_that_fits(model, cutting_of(job.recipe), known_memory(job.recipe),
                               !job.trained.model->is_interpreted());
}

std::string choose_strategy(Job& job, const std::function<std::uint64_t()>& undivided) {
  if (job.group->is_alone()) return "";
  recipe::Distributed& rule = job.recipe.distributed;
  plan::expect_replicas_divide(job.group->ranks(), rule.replicas);
  if (rule.strategy == plan::Strategy::data_parallel) return "";
  if (rule.strategy != plan::Strategy::auto_)
    return plan::name_of(rule.strategy) + replica_words(rule);
  known_memory(job.recipe);  // refused on all ranks
  plan::Choice choice;
  if (job.group->is_first()) {
    plan::ModelBytes model = model_bytes(job);
    model.undivided = undivided();
    choice = chosen_strategy(job, model);
  }
  // Machines may have different memories; all ranks must divide the model alike.
  rule.strategy = static_cast<plan::Strategy>(
      static_cast<int>(job.group->of_first(static_cast<double>(choice.strategy))));
  return fmt::format("{}{}: {}", plan::name_of(rule.strategy), replica_words(rule), choice.reason);
}

}  // namespace knead::engine
