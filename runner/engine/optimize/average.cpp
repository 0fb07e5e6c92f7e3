#include "runner/engine/optimize/average.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/_foreach_add.h>
#include <ATen/ops/_foreach_div.h>
#include <ATen/ops/_foreach_lerp.h>
#include <ATen/ops/_foreach_sub.h>
#include <c10/core/ScalarType.h>
#include <fmt/format.h>

#include "runner/engine/optimize/saved_state.h"
#include "schema/document/error.h"

namespace knead::engine::optimize {
namespace {

/// Converts average.start to steps. Throws knead::Error if that is not possible.
double start_of(const schema::Quantity& start, const plan::Windows& windows,
                std::optional<std::uint64_t> steps) {
  const auto run = steps ? std::optional<double>(static_cast<double>(*steps)) : std::nullopt;
  if (const auto begin = schema::in_steps(start, windows.epoch(), run)) return *begin;
  throw Error(fmt::format("average.start {} cannot be told in steps", schema::to_string(start)),
              "write it in steps or epochs", Exit::invalid_recipe);
}

plan::Cadence cadence_of(const recipe::Average& average, const plan::Windows& windows) {
  const auto every = std::visit([](const auto& kind) { return kind.every; }, average);
  return {"average.every", {every}, windows};
}

/// Returns the decay of an exponential average; std::nullopt for a mean.
std::optional<double> decay_of(const recipe::Average& average) {
  const auto* ema = std::get_if<recipe::Ema>(&average);
  return ema ? std::optional<double>(ema->decay) : std::nullopt;
}

}  // namespace

Average::Average(const recipe::Average& average, const NamedTensors& parameters,
                 const plan::Windows& windows, std::optional<std::uint64_t> steps)
    : decay_(decay_of(average)), cadence_(cadence_of(average, windows)) {
  const auto start = std::visit([](const auto& kind) { return kind.start; }, average);
  start_ = start_of(start, windows, steps);
  for (const NamedTensor& parameter : parameters) {
    if (!at::isFloatingType(parameter.tensor.scalar_type())) continue;
    parameters_.push_back(parameter);
    live_.push_back(parameter.tensor);
  }
}

// Calls the operators that torch calls on a CPU, so that the averages have the same bits.
void Average::move() {
  if (decay_) return at::_foreach_lerp_(averages_, live_, 1 - *decay_);
  std::vector<at::Tensor> changes = at::_foreach_sub(live_, averages_);
  at::_foreach_div_(changes, static_cast<double>(count_ + 1));
  at::_foreach_add_(averages_, changes);
}

void Average::follow(std::uint64_t step) {
  if (static_cast<double>(step) < start_ || !cadence_.due(step)) return;
  const at::NoGradGuard no_grad;
  if (count_ == 0) {
    averages_.clear();
    for (const at::Tensor& tensor : live_) averages_.push_back(tensor.detach().clone());
  } else {
    move();
  }
  ++count_;
}

NamedTensors Average::state() const {
  NamedTensors out;
  for (std::size_t i = 0; i < averages_.size(); ++i)
    out.push_back({parameters_[i].name, averages_[i]});
  return out;
}

void Average::restore(const NamedTensors& saved, std::uint64_t count) {
  // Takes all tensors before it changes anything: a refused state leaves the average as it was.
  SavedState state(saved, "the average");
  std::vector<at::Tensor> restored;
  if (count > 0) {
    for (const auto& [name, tensor] : parameters_)
      restored.push_back(state.take(name, tensor.detach()));
  }
  state.expect_all_taken();
  averages_ = std::move(restored);
  count_ = count;
}

AveragedWeights::AveragedWeights(const Average* average) {
  if (!average || average->count() == 0) return;
  const at::NoGradGuard no_grad;
  places_ = average->live();
  const NamedTensors averages = average->state();
  for (std::size_t i = 0; i < places_.size(); ++i) {
    plain_.push_back(places_[i].detach().clone());
    places_[i].copy_(averages[i].tensor);
  }
}

AveragedWeights::~AveragedWeights() {
  const at::NoGradGuard no_grad;
  for (std::size_t i = 0; i < places_.size(); ++i) places_[i].copy_(plain_[i]);
}

}  // namespace knead::engine::optimize
