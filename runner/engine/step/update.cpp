#include "runner/engine/step/update.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <ATen/ops/cat.h>
#include <ATen/ops/stack.h>
#include <fmt/format.h>

#include "runner/engine/device/device.h"
#include "runner/engine/job/freeze.h"
#include "runner/engine/optimize/alone.h"
#include "runner/engine/step/non_finite.h"
#include "schema/document/error.h"

namespace knead::engine {
namespace {

std::uint64_t end_of(const Job& job) {
  if (job.steps) return *job.steps;
  return std::numeric_limits<std::uint64_t>::max();  // the clock ends it
}

}  // namespace

Updates::Updates(Job& job, Progress& progress, std::function<void()> save, track::Warn warn)
    : job_(job),
      progress_(progress),
      save_(std::move(save)),
      warn_(std::move(warn)),
      feed_(job.sets.train, job.fields, job.windows, job.sets.order, progress.step, end_of(job),
            job.reading()),
      pass_(job),
      clip_(job.recipe.clip),
      numbers_(count_numbers(job.model->parameters())) {}

void Updates::make(double factor) {
  const data::Batch& batch = next_batch();
  Update update{Before{{}, job_.model->backup()}, batch.samples};
  std::vector<at::Tensor> losses = pass_over(batch, update);
  if (!settle()) {  // what this one began with is gone: once more, from what was before
    update.before.generator.restore();
    pass_.clear_gradients();
    update = Update{Before{{}, job_.model->backup()}, batch.samples};
    losses = pass_over(batch, update);
  }
  if (progress_.step == 0 && update.weight != 0) {
    if (const auto untouched = untouched_in_words(*job_.model)) warn_(*untouched);
  }
  step(factor, losses, update);
  pass_.clear_gradients();
  ++progress_.step;
  progress_.samples += batch.window.size;
  last_ = std::move(update);
  if (!last_->unread) settle();
  feed_.send_next();
}

const data::Batch& Updates::next_batch() {
  const trace::Span part("data");
  return feed_.next();
}

/// The losses of its micro-batches; afterwards parameters have the sums of their gradients.
std::vector<at::Tensor> Updates::pass_over(const data::Batch& batch, Update& update) {
  const auto micro = static_cast<std::uint64_t>(job_.recipe.batch.micro.value());
  std::vector<at::Tensor> losses;
  for (std::uint64_t begin = 0; begin < batch.window.size; begin += micro) {
    const std::uint64_t count = std::min(micro, batch.window.size - begin);
    const losses::Part loss = loss_of(feed_.part(begin, count));
    if (begin == 0) update.sum_scale = plan::sum_scale(loss.weight, count, batch.window.size);
    backward(loss.sum, gradient_scale(update));
    losses.push_back(loss.sum.detach());
    update.weight += loss.weight;
  }
  return losses;
}

losses::Part Updates::loss_of(MicroBatch part) {
  const trace::Span forward("forward");
  return pass_.forward(std::move(part));
}

void Updates::backward(const at::Tensor& sum, double scale) {
  const trace::Span part("backward");
  pass_.backward(sum, scale);
}

double Updates::gradient_scale(const Update& update) const {
  return update.sum_scale * progress_.loss_scale.value;
}

/// A weight of 0 says that all targets are ignored: nothing is to be learnt.
void Updates::step(double factor, const std::vector<at::Tensor>& losses, Update& update) {
  const trace::Span part("optimizer");
  const auto& parameters = job_.model->parameters();
  const double scale = update.weight == 0 ? 0 : 1 / (update.weight * gradient_scale(update));
  if (can_stay_unread()) {
    const at::Tensor sums = at::stack(losses).to(at::kDouble);
    const optimize::Unread unread = clip_.leave_unread(parameters, scale, sums);
    if (update.weight != 0) job_.optimizer->step(factor, unread);
    update.unread.emplace(at::cat({sums, unread.norm.reshape(1)}));
    return;
  }
  // Now, not on the way: the device has all of the step to do by then.
  for (const at::Tensor& loss : losses) update.loss += loss.item<double>();
  const optimize::Measured gradients = clip_.measure(parameters, scale);
  update.norm = gradients.norm;
  if (!gradients.finite || !std::isfinite(update.loss) || update.weight == 0) return;
  const optimize::Alone alone(numbers_);
  job_.optimizer->step(factor, gradients.factor);
}

/// The scale of fp16 is the host's to know, before the next step begins.
bool Updates::can_stay_unread() const {
  return !device().is_cpu() && !plan::scales_loss(job_.recipe.precision) &&
         job_.optimizer->heeds_device();
}

bool Updates::settle() {
  if (!last_) return true;
  Update update = std::move(*last_);
  last_.reset();
  if (update.unread) {
    const trace::Span part("waits for the device");
    const std::span<const double> numbers = update.unread->wait();
    for (const double loss : numbers.first(numbers.size() - 1)) update.loss += loss;
    update.norm = numbers.back();
  }
  norm_ = update.norm;
  const bool has_norm = std::isfinite(update.norm);
  const bool has_loss = std::isfinite(update.loss);
  const bool is_made = has_norm && has_loss;
  if (!is_made) {
    const bool is_absorbed =
        has_loss && plan::absorbs_overflow(job_.recipe.precision, progress_.loss_scale);
    if (!is_absorbed) leave_out(update);
    update.before.model.restore();
    ++progress_.skipped;
  } else if (update.weight != 0) {
    progress_.skipped_in_a_row = 0;
  }
  progress_.loss_scale =
      plan::next_loss_scale(job_.recipe.precision, progress_.loss_scale, has_norm);
  if (progress_.skipped_in_a_row == 0) {
    progress_.loss_sum += update.loss;
    progress_.loss_weight += update.weight;
  }
  count_without_targets(update);
  if (job_.average) job_.average->follow(progress_.step);
  return is_made;
}

/// One batch without a target that counts is an accident of the data; an epoch of them is a mistake
/// in the recipe. Throws then.
void Updates::count_without_targets(const Update& update) {
  without_targets_ = update.weight == 0 ? without_targets_ + 1 : 0;
  std::uint64_t most = job_.windows.steps_per_epoch();
  if (job_.steps) most = std::min(most, *job_.steps);
  if (without_targets_ == 0 || without_targets_ < most) return;
  throw Error(
      fmt::format("nothing was learnt in {} steps: every target '{}' is ignored, or has the "
                  "weight 0",
                  without_targets_, losses::target_of(job_.recipe.loss)),
      "look at loss.ignore_index and at the values of the field");
}

/// Throws where that ends the run.
void Updates::leave_out(const Update& update) {
  const recipe::NonFinite& rule = job_.recipe.non_finite;
  const bool is_last = rule.action == recipe::NonFinite::Action::stop ||
                       progress_.skipped_in_a_row >= static_cast<std::uint64_t>(rule.most_in_a_row);
  if (!is_last) {
    ++progress_.skipped_in_a_row;
    return;
  }
  update.before.model.restore();
  update.before.generator.restore();
  --progress_.step;
  progress_.samples -= update.samples.size();
  save_();
  throw not_finite({progress_, update.loss, update.norm, update.samples, job_.sets.train.rows()});
}

}  // namespace knead::engine
