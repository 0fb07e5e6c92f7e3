#include "runner/engine/job/divide.h"

#include <filesystem>

#include "runner/engine/device/device.h"
#include "runner/engine/job/parameter_names.h"
#include "runner/engine/job/start_files.h"
#include "runner/engine/job/units.h"
#include "runner/engine/optimize/make_optimizer.h"

namespace knead::engine {
namespace {

using Strategy = recipe::Distributed::Strategy;

std::optional<std::filesystem::path> folder_of(const recipe::Distributed& distributed) {
  const auto& path = distributed.offload->path;
  return path ? std::optional<std::filesystem::path>(*path) : std::nullopt;
}

parallel::Sharding sharding_of(const recipe::Recipe& recipe) {
  const recipe::Distributed& distributed = recipe.distributed;
  parallel::Sharding sharding;
  sharding.replicas = static_cast<int>(distributed.replicas);
  sharding.whole_tensors = optimize::needs_whole_tensors(recipe.optimizer);
  sharding.bucket = static_cast<std::uint64_t>(distributed.bucket.value);
  if (distributed.gather == recipe::Distributed::Gather::bf16) sharding.gathered = at::kBFloat16;
  sharding.rounded = sent_type(distributed);
  if (has_units(recipe) && keeps_parameters(distributed))
    sharding.depot = Depot(folder_of(distributed));
  return sharding;
}

/// Divides the parameters of a model, by its units if the strategy is zero3.
std::shared_ptr<parallel::Shards> shards_of(model::Model& model, const recipe::Recipe& recipe,
                                            parallel::Sharding sharding, parallel::Group& group) {
  if (!has_units(recipe))
    return std::make_shared<parallel::Shards>(model.parameters(), sharding, group);
  ModelUnits units = units_of(model, recipe.distributed.units);
  sharding.units = std::move(units.of_parameters);
  auto shards = std::make_shared<parallel::Shards>(model.parameters(), sharding, group);
  model.divide(units.paths, std::make_shared<UnitGathering>(shards));
  return shards;
}

/// Returns the optimizer of this rank's pieces of trained parameters.
std::unique_ptr<optimize::Optimizer> optimizer_of(const Job& job) {
  const NamedTensors& all = job.trained.model->parameters();
  std::vector<std::size_t> number(all.size());  // among the trained parameters
  NamedTensors trained;
  for (std::size_t i = 0; i < all.size(); ++i) {
    number[i] = trained.size();
    if (all[i].tensor.requires_grad()) trained.push_back(all[i]);
  }
  std::vector<optimize::OwnedPiece> pieces;
  for (std::size_t i = 0; i < job.shards->pieces().size(); ++i) {
    const NamedTensor& piece = job.shards->pieces()[i];
    if (piece.tensor.requires_grad())
      pieces.push_back({piece, number[job.shards->places()[i].parameter]});
  }
  return optimize::make_optimizer(job.recipe.optimizer, trained,
                                  names_of(trained, *job.trained.model), pieces);
}

/// Returns the average of this rank's pieces. Parameters that are not trained are in that of the
/// first shard.
std::unique_ptr<optimize::Average> average_of(const Job& job) {
  if (!job.recipe.average) return nullptr;
  NamedTensors averaged = job.shards->pieces();
  for (const NamedTensor& parameter : job.trained.model->parameters()) {
    if (job.shards->shard() == 0 && !job.shards->is_sharded(parameter.tensor))
      averaged.push_back(parameter);
  }
  return std::make_unique<optimize::Average>(*job.recipe.average, averaged, job.course.windows,
                                             job.course.steps);
}

}  // namespace

std::optional<at::ScalarType> sent_type(const recipe::Distributed& distributed) {
  switch (distributed.compress) {
    case recipe::Distributed::Compress::bf16: return at::kBFloat16;
    case recipe::Distributed::Compress::fp16: return at::kHalf;
    case recipe::Distributed::Compress::none: return std::nullopt;
  }
  return std::nullopt;
}

bool divides(const recipe::Recipe& recipe, int ranks) {
  return ranks > 1 && recipe.distributed.strategy != Strategy::data_parallel;
}

bool has_units(const recipe::Recipe& recipe) {
  return recipe.distributed.strategy == Strategy::zero3;
}

bool keeps_parameters(const recipe::Distributed& distributed) {
  return distributed.offload && distributed.offload->what == recipe::Offload::What::parameters;
}

void divide(Job& job) {
  if (!divides(job.recipe, job.group->ranks())) return end_start(job.start_files, false);
  // Ranks without units use the parameters where they lie.
  if (!has_units(job.recipe)) end_start(job.start_files, false);
  job.shards = shards_of(*job.trained.model, job.recipe, sharding_of(job.recipe), *job.group);
  job.trained.optimizer = optimizer_of(job);
  job.trained.average = average_of(job);
  end_start(job.start_files, true);
}

void offload(Job& job) {
  const recipe::Distributed& rule = job.recipe.distributed;
  if (!rule.offload) return;
  const optimize::OffloadPlace place{.folder = folder_of(rule),
                                     .copies = !device().is_cpu() && !keeps_parameters(rule)};
  // With device cpu the state is in the memory of the host already.
  if (device().is_cpu() && !place.folder) return;
  job.trained.optimizer->offload(place);
}

std::shared_ptr<parallel::Shards> divide_to_evaluate(model::Model& model,
                                                     const recipe::Recipe& recipe,
                                                     parallel::Group& group) {
  if (!divides(recipe, group.ranks()) || !has_units(recipe)) return nullptr;
  parallel::Sharding sharding = sharding_of(recipe);
  sharding.gathered.reset();
  // Fewer ranks than the run had may evaluate it.
  if (group.ranks() % sharding.replicas != 0) sharding.replicas = 1;
  return shards_of(model, recipe, std::move(sharding), group);
}

}  // namespace knead::engine
