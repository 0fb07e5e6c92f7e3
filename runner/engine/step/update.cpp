#include "runner/engine/step/update.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <ATen/ops/stack.h>

#include "runner/engine/device/device.h"
#include "runner/engine/job/freeze.h"
#include "runner/engine/optimize/single_thread.h"
#include "runner/engine/step/distribute.h"
#include "runner/trace/watch.h"

namespace knead::engine {

Updates::Updates(Job& job, run::Progress& progress, UpdateOptions options)
    : recipe_(job.recipe),
      set_(job.sets.train),
      course_(job.course),
      trained_(job.trained),
      progress_(progress),
      options_(std::move(options)),
      feed_(job.sets.train, job.fields, job.course.windows, job.sets.order, progress.step,
            options_.end, job.reading_of_share()),
      pass_(job.trained, job.recipe.precision),
      clip_(job.recipe.clip, job.shards ? all_norms_of(*job.shards) : optimize::Clip::AllNorms()),
      shards_(job.shards.get()),
      updated_(shards_ ? shards_->pieces() : job.trained.model->parameters()),
      numbers_(count_numbers(updated_)),
      micro_(static_cast<std::uint64_t>(job.recipe.batch.micro.value())),
      order_(job.sets.order),
      group_(*job.group),
      gradients_(reduction_of(job)) {
  if (group_.is_alone()) return;
  is_broadcast_ = job.recipe.distributed.buffers == recipe::Distributed::Buffers::broadcast;
  // A module that is computed again in backward adds to gradients after its parameters are ready.
  is_overlapped_ = !job.recipe.activation_checkpointing;
}

// --- make: before, passes, apply -----------------------------------------------------------------

void Updates::make(double factor) {
  const data::Batch& batch = next_batch();
  PendingUpdate update = before(batch);
  // Queued before the last update is judged: a GPU has work while the host waits for its numbers.
  passes(batch, update);
  if (!settle()) {  // the last update was skipped: these passes began with restored state
    update.generator.restore();
    pass_.clear_gradients();
    update = before(batch);
    passes(batch, update);
  }
  reduce(update);
  warn_of_untouched(update);
  apply(factor, update);
  done(UpdatePart::apply, update);
  pass_.clear_gradients();
  ++progress_.step;
  progress_.samples += course_.windows.at(batch.step).size;
  pending_ = std::move(update);
  if (!pending_->unread) settle();
  feed_.send_next();
}

const data::Batch& Updates::next_batch() {
  const trace::Span part("data");
  return feed_.next();
}

/// Records the state before an update. The generator's state is recorded before forward draws
/// random numbers; the backup draws none.
PendingUpdate Updates::before(const data::Batch& batch) {
  PendingUpdate update{
      .generator = {}, .model = trained_.model->backup(), .samples = batch.samples};
  if (is_broadcast_) {
    const trace::Span span("waits for ranks");
    copy_buffers_from_first(*trained_.model, group_);
  }
  done(UpdatePart::before, update);
  return update;
}

/// Runs forward and backward of all micro-batches of this rank, whose gradients add up. Only a rank
/// other than 0 can have none.
void Updates::passes(const data::Batch& batch, PendingUpdate& update) {
  const std::uint64_t size = batch.window.size;
  if (size == 0) update.sum_scale = sum_scale(1, 0);
  const std::uint64_t own = std::min((size + micro_ - 1) / micro_, options_.most_micro_batches);
  const Rounds rounds = rounds_of_ranks(own);
  const bool sends_each_pass = gradients_ && gradients_->sends_each_pass();
  for (std::uint64_t i = 0; i < rounds.all; ++i) {
    const bool has_pass = i < own;
    if (i < rounds.every_rank || shards_->parameters_are_whole()) {
      if (has_pass) pass(i, size, update);
    } else {
      shards_->compute_or_follow(has_pass, [&] { pass(i, size, update); });
    }
    // The last time is that of reduce().
    if (sends_each_pass && i + 1 < rounds.all) gradients_->send_rest();
  }
}

/// Runs forward and backward of a micro-batch.
void Updates::pass(std::uint64_t number, std::uint64_t size, PendingUpdate& update) {
  const std::uint64_t count = std::min(micro_, size - number * micro_);
  const losses::Part loss = forward(feed_.part(number * micro_, count));
  update.losses.push_back(loss.sum.detach());
  update.weight += loss.weight;
  if (number == 0) update.sum_scale = sum_scale(count, loss.weight);
  done(UpdatePart::forward, update);
  backward(loss.sum, gradient_scale(update), (number + 1) * micro_ >= size);
  done(UpdatePart::backward, update);
}

/// Returns how many passes ranks make together in the present step, in which this one has `own`
/// micro-batches.
Updates::Rounds Updates::rounds_of_ranks(std::uint64_t own) const {
  if (!gradients_ || !gradients_->sends_each_pass()) return {own, own};
  const auto ranks = static_cast<std::uint64_t>(group_.ranks());
  const std::uint64_t size = course_.windows.at(progress_.step).size;
  const auto passes = [this](std::uint64_t share) { return (share + micro_ - 1) / micro_; };
  return {.all = passes((size + ranks - 1) / ranks), .every_rank = passes(size / ranks)};
}

losses::Part Updates::forward(MicroBatch part) {
  const trace::Span span("forward");
  return pass_.forward(std::move(part));
}

/// Returns the scale of an update from its first micro-batch, of `count` samples: one for all
/// micro-batches, because their gradients are added. Several ranks need the same one, and take it
/// from their last update, which all of them know; only the first is a message of rank 0.
double Updates::sum_scale(std::uint64_t count, double weight) const {
  const std::uint64_t size = course_.windows.at(progress_.step).size;
  if (group_.is_alone()) return plan::sum_scale(weight, count, size);
  if (progress_.sample_weight != 0) return plan::sum_scale(progress_.sample_weight, 1, size);
  return group_.of_first(plan::sum_scale(weight, count, size));
}

/// Runs backward of a micro-batch. During the last one, or each one, gradients that are complete
/// are sent to the other ranks while those of earlier layers are computed.
void Updates::backward(const at::Tensor& sum, double scale, bool is_last) {
  const trace::Span span("backward");
  if (is_overlapped_ && (is_last || gradients_->sends_each_pass())) {
    pass_.backward(sum, scale, [&](const at::Tensor& leaf) { gradients_->is_ready(leaf); });
  } else {
    pass_.backward(sum, scale);
  }
}

/// Sums gradients, losses and weights over ranks. What ranks must agree on in each update is in the
/// same message, because a message takes longer than the update of a small model.
void Updates::reduce(PendingUpdate& update) {
  if (!gradients_) return;
  read_losses(update);
  gradients_->send_rest();
  meet();
  const trace::Span span("reduce");
  const Word word = options_.word();
  std::array<double, 5> sums{update.loss, update.weight, word.seconds,
                             word.is_asked_to_stop ? 1.0 : 0.0, word.is_part_written ? 1.0 : 0.0};
  gradients_->finish(sums);
  update.loss = sums[0];
  update.weight = sums[1];
  agreed_ = {sums[2], sums[3] != 0, sums[4] == group_.ranks()};
}

void Updates::meet() {
  if (!options_.meets) return;
  const trace::Span span("waits for ranks");
  group_.any(false);
}

/// Reads the losses of the micro-batches. Called once for an update and not after each micro-batch,
/// because a read waits for the device: by then all passes of the step are queued.
void Updates::read_losses(PendingUpdate& update) const {
  for (const at::Tensor& loss : update.losses) update.loss += loss.item<double>();
}

/// Warns in the first update about parameters without a gradient, which later updates will not
/// reach either. An update without targets does not show that.
void Updates::warn_of_untouched(const PendingUpdate& update) {
  if (progress_.step != 0 || update.weight == 0) return;
  const auto has_gradient = [this](const at::Tensor& parameter) {
    return gradients_ ? gradients_->has_gradient(parameter) : parameter.grad().defined();
  };
  if (const auto untouched = untouched_in_words(*trained_.model, has_gradient))
    options_.warn(*untouched);
}

/// Applies an update. One factor turns sums into means, removes the loss scale and clips. A weight
/// of 0 means that all targets are ignored; the weights then stay as they are.
void Updates::apply(double factor, PendingUpdate& update) {
  const trace::Span span("optimizer");
  const double scale = update.weight == 0 ? 0 : 1 / (update.weight * gradient_scale(update));
  if (can_stay_unread()) return apply_unread(factor, scale, update);
  if (!gradients_) read_losses(update);
  const optimize::Measured gradients = clip_.measure(updated_, scale);
  update.norm = gradients.norm;
  done(UpdatePart::reduce, update);
  if (!gradients.finite || !std::isfinite(update.loss) || update.weight == 0) return;
  const optimize::SingleThread limit(numbers_);
  trained_.optimizer->step(factor, gradients.factor);
  gather_parameters();
}

/// Gives each rank the parameters that other ranks have updated.
void Updates::gather_parameters() {
  if (!shards_) return;
  const trace::Span span("gathers parameters");
  shards_->gather();
}

/// Queues an update without waiting for its losses and its norm. The device itself skips the update
/// if one of them is not finite.
void Updates::apply_unread(double factor, double scale, PendingUpdate& update) {
  const auto& losses = update.losses;
  const at::Tensor sums =
      (losses.size() == 1 ? losses[0].reshape(1) : at::stack(losses)).to(at::kDouble);
  const optimize::Unread unread = clip_.leave_unread(trained_.model->parameters(), scale, sums);
  done(UpdatePart::reduce, update);
  if (update.weight != 0) trained_.optimizer->step(factor, unread);
  update.unread.emplace(unread.numbers);
}

void Updates::done(UpdatePart part, const PendingUpdate& update) const {
  if (options_.watcher) options_.watcher->done(part, update);
}

double Updates::gradient_scale(const PendingUpdate& update) const {
  return update.sum_scale * progress_.loss_scale.value;
}

/// Returns whether the numbers of an update may stay on the device until the next update. The loss
/// scale of fp16 follows from them and is needed for the next backward, so fp16 must read them.
bool Updates::can_stay_unread() const {
  return !device().is_cpu() && !gradients_ && !plan::scales_loss(recipe_.precision) &&
         trained_.optimizer->accepts_found_inf();
}

}  // namespace knead::engine
