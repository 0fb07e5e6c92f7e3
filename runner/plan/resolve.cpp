#include "runner/plan/resolve.h"

namespace knead::plan {
namespace {

template <class T>
void fill(std::optional<T>& key, T value) {
  if (!key) key = std::move(value);
}

}  // namespace

bool uses_cuda(const recipe::Recipe& recipe, const Machine& machine) {
  using Device = recipe::Recipe::Device;
  return recipe.device == Device::cuda || (recipe.device == Device::auto_ && machine.has_cuda);
}

void resolve(recipe::Recipe& recipe, const Machine& machine) {
  using Weights = recipe::Export::Weights;
  const bool has_validation = recipe.data.validation.has_value();

  fill(recipe.output, machine.home / "runs");
  fill(recipe.threads, machine.cores);
  fill(recipe.deterministic, !uses_cuda(recipe, machine));
  fill(recipe.batch.micro, recipe.batch.size);
  fill(recipe.evaluate.batch, *recipe.batch.micro);
  fill(recipe.checkpoint.keep.best, std::int64_t{has_validation ? 1 : 0});
  if (auto* cosine = std::get_if<recipe::CosineSchedule>(&recipe.schedule))
    fill(cosine->over, recipe.train.until);
  if (recipe.export_) fill(recipe.export_->weights, has_validation ? Weights::best : Weights::last);
}

}  // namespace knead::plan
