#include "runner/plan/resolve.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "runner/plan/decide.h"
#include "schema/document/error.h"

namespace knead::plan {
namespace {

template <class T>
void fill(std::optional<T>& key, T value) {
  if (!key) key = std::move(value);
}

void resolve_early_stopping(recipe::EarlyStopping& early, const recipe::Evaluate& evaluate) {
  using Way = recipe::EarlyStopping::Goal;
  fill(early.metric, evaluate.monitor);
  const Goal goal = objective(*early.metric, evaluate.metrics).goal;
  fill(early.goal, goal == Goal::high ? Way::maximize : Way::minimize);
}

/// Fills in what a sink takes from the names of the run.
void resolve_sink(recipe::Sink& sink, const std::filesystem::path& output,
                  const std::string& name) {
  const std::filesystem::path folder = output / name;
  const bool is_trial = output.filename() == "sweep";  // output/SWEEP/sweep/TRIAL
  if (auto* mlflow = std::get_if<recipe::MlflowSink>(&sink)) {
    fill(mlflow->experiment, is_trial ? output.parent_path().filename().string() : name);
    fill(mlflow->run_name, name);
  }
  if (auto* dvclive = std::get_if<recipe::DvcliveSink>(&sink))
    fill(dvclive->path, folder / "dvclive");
  if (auto* prometheus = std::get_if<recipe::PrometheusSink>(&sink))
    fill(prometheus->path, folder / "metrics.prom");
}

}  // namespace

void resolve_threads(recipe::Recipe& recipe, double work, std::int64_t cores) {
  const double wanted = std::floor(work / kWorkOfThread);
  fill(recipe.threads, static_cast<std::int64_t>(std::clamp(wanted, 1.0, double(cores))));
}

std::int64_t most_threads(const recipe::Recipe& recipe, const Machine& machine) {
  return recipe.threads.value_or(machine.cores);
}

bool uses_cuda(const recipe::Recipe& recipe, const Machine& machine) {
  using Device = recipe::Recipe::Device;
  return recipe.device == Device::cuda || (recipe.device == Device::auto_ && machine.has_cuda);
}

std::int64_t number_of_ranks(const recipe::Recipe& recipe, const Machine& machine) {
  if (recipe.distributed.ranks) return *recipe.distributed.ranks;
  if (!uses_cuda(recipe, machine)) return 1;
  return std::clamp<std::int64_t>(machine.gpus, 1, recipe.batch.size);
}

void expect_gpus_for_ranks(const recipe::Recipe& recipe, const Machine& machine) {
  const std::int64_t ranks = number_of_ranks(recipe, machine);
  if (!uses_cuda(recipe, machine) || machine.gpus == 0 || ranks <= machine.gpus) return;
  throw Error(
      fmt::format("{0} ranks need {0} GPUs, this machine shows {1}", ranks, machine.gpus),
      fmt::format(
          "write distributed.ranks: {}, or auto; CUDA_VISIBLE_DEVICES says which GPUs count; with "
          "device: cpu ranks need none",
          machine.gpus));
}

void resolve(recipe::Recipe& recipe, const Machine& machine) {
  using Device = recipe::Recipe::Device;
  using Weights = recipe::Export::Weights;
  const bool has_validation = recipe.data.validation.has_value();

  fill(recipe.output, machine.home / "runs");
  recipe.device = uses_cuda(recipe, machine) ? Device::cuda : Device::cpu;
  fill(recipe.deterministic, recipe.device == Device::cpu);
  fill(recipe.distributed.ranks, number_of_ranks(recipe, machine));
  // Before batch.micro is resolved: how many samples are evaluated at once changes the last bits of
  // an evaluation, which must not depend on the number of ranks.
  fill(recipe.evaluate.batch, recipe.batch.micro.value_or(recipe.batch.size));
  const std::int64_t ranks = *recipe.distributed.ranks;
  fill(recipe.batch.micro, (recipe.batch.size + ranks - 1) / ranks);
  // Without a validation set nothing tells which checkpoint is best.
  fill(recipe.checkpoint.keep.best, std::int64_t{has_validation ? 1 : 0});
  std::visit(
      [&](auto& schedule) {
        if constexpr (requires { schedule.over; }) fill(schedule.over, recipe.train.until);
      },
      recipe.schedule);
  if (recipe.early_stopping) resolve_early_stopping(*recipe.early_stopping, recipe.evaluate);
  if (recipe.sweep) fill(recipe.sweep->objective, recipe.evaluate.monitor);
  for (recipe::Expectation& each : recipe.expect)
    if (each.baseline) fill(each.at_most_worse, 0.0);
  for (recipe::Sink& sink : recipe.track.to) resolve_sink(sink, *recipe.output, recipe.name);
  if (recipe.export_) fill(recipe.export_->weights, has_validation ? Weights::best : Weights::last);
}

}  // namespace knead::plan
