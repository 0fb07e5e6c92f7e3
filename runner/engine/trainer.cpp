#include "runner/engine/trainer.h"

#include <cmath>
#include <limits>

#include "runner/engine/generators.h"
#include "runner/engine/model_output.h"
#include "runner/engine/non_finite.h"
#include "runner/engine/optimize/alone.h"
#include "runner/engine/snapshot.h"
#include "runner/plan/decide.h"

namespace knead::engine {
namespace {

std::uint64_t end_of(const Job& job) {
  if (job.steps) return *job.steps;
  return std::numeric_limits<std::uint64_t>::max();  // the clock ends it
}

double power_of_two_below(double value) { return std::exp2(std::floor(std::log2(value))); }

}  // namespace

Trainer::Trainer(Job& job, Progress& progress, track::Tracker& tracker, Saver& saver,
                 Profile& profile, const Stop& stop, nlohmann::json facts)
    : job_(job),
      progress_(progress),
      tracker_(tracker),
      saver_(saver),
      profile_(profile),
      stop_(stop),
      facts_(std::move(facts)),
      feed_(job.sets.train, job.fields, job.windows, job.sets.order, progress.step, end_of(job),
            job.reading()),
      pass_(job),
      clip_(job.recipe.clip),
      report_cadence_("track.every", {job.recipe.track.every}, job.windows),
      save_cadence_("checkpoint.every", job.recipe.checkpoint.every, job.windows),
      evaluate_cadence_("evaluate.every", {job.recipe.evaluate.every}, job.windows),
      prescale_(power_of_two_below(1.0 / static_cast<double>(job.recipe.batch.size))),
      numbers_(count_numbers(job.model->parameters())),
      clock_(std::chrono::steady_clock::now()),
      reported_samples_(progress.samples),
      reported_seconds_(progress.seconds) {
  if (job.sets.validation)
    validation_.emplace(job.evaluation_of("validation", *job.sets.validation));
}

// --- the loop ------------------------------------------------------------------------------------

Ending Trainer::run() {
  job_.model->train(true);
  heed_evaluations();
  evaluate_if_due();  // asked for at the start; or the run was stopped before it was done
  while (!is_finished() && !stop_.is_asked_at(progress_.step)) {
    profile_.begin_step(progress_.step + 1);
    update();
    report_if_due();
    save_if_due();
    evaluate_if_due();
    saver_.look();
  }
  profile_.end_run();
  if (why_early_) report();
  const bool is_whole = is_finished() && !evaluation_is_due();
  if (progress_.step > 0) save_now();
  return is_whole ? Ending::finished : Ending::stopped;
}

void Trainer::update() {
  const double factor = job_.schedule.factor(progress_.step) * plateau_;
  lr_ = job_.rate * factor;
  const data::Batch& batch = next_batch();
  remember();
  const Sums sums = run_micro_batches(batch.window.size);
  const Profile::Part part(profile_, "optimizer");
  const double scale = sums.weight == 0 ? 0 : 1 / (sums.weight * gradient_scale());
  const optimize::Measured gradients = clip_.measure(job_.model->parameters(), scale);
  norm_ = gradients.norm;
  const bool overflows = !gradients.finite && std::isfinite(sums.loss) &&
                         plan::absorbs_overflow(job_.recipe.precision, progress_.loss_scale);
  if (overflows) {
    go_back();
    ++progress_.skipped;
  } else if (!gradients.finite || !std::isfinite(sums.loss)) {
    leave_out(batch, sums);
  } else if (sums.weight != 0) {  // else all targets are ignored, and nothing is to be learnt
    const optimize::Alone alone(numbers_);
    job_.optimizer->step(factor, gradients.factor);
    progress_.skipped_in_a_row = 0;
  }
  progress_.loss_scale =
      plan::next_loss_scale(job_.recipe.precision, progress_.loss_scale, gradients.finite);
  pass_.clear_gradients();
  count(sums, batch);
  if (job_.average) job_.average->follow(progress_.step);
}

const data::Batch& Trainer::next_batch() {
  const Profile::Part part(profile_, "data");
  return feed_.next();
}

Trainer::Sums Trainer::run_micro_batches(std::uint64_t samples) {
  const auto micro = static_cast<std::uint64_t>(job_.recipe.batch.micro.value());
  Sums sums;
  std::vector<at::Tensor> losses;
  for (std::uint64_t begin = 0; begin < samples; begin += micro) {
    MicroBatch part = feed_.part(begin, std::min(micro, samples - begin));
    const losses::Part loss = loss_of(std::move(part));
    backward(loss.sum);
    losses.push_back(loss.sum.detach());
    sums.weight += loss.weight;
  }
  // Now, not on the way: the device has all of the step to do by then.
  for (const at::Tensor& loss : losses) sums.loss += loss.item<double>();
  return sums;
}

losses::Part Trainer::loss_of(MicroBatch part) {
  const Profile::Part forward(profile_, "forward");
  return pass_.forward(std::move(part));
}

double Trainer::gradient_scale() const { return prescale_ * progress_.loss_scale.value; }

void Trainer::backward(const at::Tensor& sum) {
  const Profile::Part part(profile_, "backward");
  pass_.backward(sum, gradient_scale());
}

void Trainer::leave_out(const data::Batch& batch, const Sums& sums) {
  go_back();
  ++progress_.skipped;
  ++progress_.skipped_in_a_row;
  const recipe::NonFinite& rule = job_.recipe.non_finite;
  const bool is_last = rule.action == recipe::NonFinite::Action::stop ||
                       progress_.skipped_in_a_row > static_cast<std::uint64_t>(rule.most_in_a_row);
  if (!is_last) return;
  --progress_.skipped;
  --progress_.skipped_in_a_row;
  generator_before_.restore();
  if (progress_.step > 0) save_now();
  throw not_finite({progress_, sums.loss, norm_, batch.samples, job_.sets.train.rows()});
}

void Trainer::count(const Sums& sums, const data::Batch& batch) {
  ++progress_.step;
  progress_.samples += batch.window.size;
  if (progress_.skipped_in_a_row == 0) {
    progress_.loss_sum += sums.loss;
    progress_.loss_weight += sums.weight;
  }
  keep_time();
}

void Trainer::report_if_due() {
  const bool is_due = report_cadence_.due(progress_.step, progress_.reported_at, progress_.seconds);
  if (is_due || is_finished()) report();
}

void Trainer::save_if_due() {
  if (!save_cadence_.due(progress_.step, progress_.saved_at, progress_.seconds)) return;
  const double before = progress_.saved_at;
  progress_.saved_at = progress_.seconds;
  const Profile::Part part(profile_, "checkpoint");
  if (!saver_.offer([this] { return snapshot(); })) progress_.saved_at = before;
}

void Trainer::evaluate_if_due() {
  if (!evaluation_is_due()) return;
  const auto evaluation = evaluate();
  keep_time();
  if (!evaluation) return;
  progress_.evaluated_at = progress_.seconds;
  tracker_.evaluated(*evaluation);
  heed_evaluations();
  const recipe::Evaluate& rule = job_.recipe.evaluate;
  const bool is_best =
      plan::is_best(tracker_.evaluations(), plan::objective(rule.monitor, rule.metrics));
  if (is_best && job_.recipe.checkpoint.keep.best.value() > 0 && progress_.step > 0) save_best();
}

std::optional<plan::Evaluation> Trainer::evaluate() {
  const Profile::Part part(profile_, "evaluation");
  const optimize::AveragedWeights averaged(job_.average.get());
  return validation_->run(*job_.model, progress_.step, stop_);
}

void Trainer::heed_evaluations() {
  const plan::Evaluations& done = tracker_.evaluations();
  plateau_ = job_.schedule.factor_of(done);
  const auto& early = job_.recipe.early_stopping;
  if (early && progress_.step > 0)
    why_early_ = plan::why_stop_early(plan::patience_of(*early), done);
}

// --- what it asks --------------------------------------------------------------------------------

bool Trainer::is_finished() const {
  if (why_early_) return true;
  if (job_.steps) return progress_.step >= *job_.steps;
  return progress_.seconds >= job_.recipe.train.until.value;
}

bool Trainer::evaluation_is_due() const {
  if (!validation_) return false;
  const plan::Evaluations& done = tracker_.evaluations();
  const bool is_done = std::any_of(done.rbegin(), done.rend(), [&](const plan::Evaluation& each) {
    return each.step == progress_.step && each.set == validation_->name;
  });
  if (is_done) return false;
  if (progress_.step == 0) return job_.recipe.evaluate.at_start;
  return is_finished() ||
         evaluate_cadence_.due(progress_.step, progress_.evaluated_at, progress_.seconds);
}

// --- and does ------------------------------------------------------------------------------------

void Trainer::report() {
  if (progress_.samples == reported_samples_) return;
  track::Report report;
  report.step = progress_.step;
  report.epoch =
      static_cast<double>(progress_.step) / static_cast<double>(job_.windows.steps_per_epoch());
  report.samples = progress_.samples;
  report.time = progress_.seconds;
  report.loss = progress_.loss_sum / progress_.loss_weight;
  report.lr = lr_;
  report.gradient_norm = norm_;
  const double seconds = progress_.seconds - reported_seconds_;
  report.samples_per_second = static_cast<double>(progress_.samples - reported_samples_) / seconds;
  report.data_wait = (feed_.waited() - reported_wait_) / seconds;
  report.skipped = progress_.skipped;
  tracker_.report(report);
  progress_.loss_sum = progress_.loss_weight = 0;
  progress_.reported_at = reported_seconds_ = progress_.seconds;
  reported_samples_ = progress_.samples;
  reported_wait_ = feed_.waited();
}

void Trainer::keep_time() {
  const auto now = std::chrono::steady_clock::now();
  progress_.seconds += std::chrono::duration<double>(now - clock_).count();
  clock_ = now;
}

void Trainer::remember() {
  generator_before_ = GeneratorState();
  buffers_before_.clear();
  for (const model::Buffer& buffer : job_.model->buffers())
    buffers_before_.push_back(buffer.tensor.clone());
  attributes_before_ = job_.model->attributes();
}

void Trainer::go_back() {
  const auto& buffers = job_.model->buffers();
  for (std::size_t i = 0; i < buffers.size(); ++i) buffers[i].tensor.copy_(buffers_before_[i]);
  job_.model->set_attributes(attributes_before_);
}

void Trainer::save_best() {
  const Profile::Part part(profile_, "checkpoint");
  progress_.saved_at = progress_.seconds;
  saver_.save_next(progress_.step, [this] { return snapshot(); });
}

void Trainer::save_now() {
  const Profile::Part part(profile_, "checkpoint");
  progress_.saved_at = progress_.seconds;
  saver_.save_now(progress_.step, [this] { return snapshot(); });
}

checkpoint::Snapshot Trainer::snapshot() const {
  nlohmann::json facts = facts_;
  facts["finite"] = true;  // an update that is not is never made
  return take_snapshot({*job_.model, *job_.optimizer, progress_, job_.average.get()},
                       tracker_.positions(), std::move(facts));
}

}  // namespace knead::engine
