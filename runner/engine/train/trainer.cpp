#include "runner/engine/train/trainer.h"

#include <algorithm>
#include <array>

#include "runner/engine/predictions/shown.h"
#include "runner/plan/decide.h"

namespace knead::engine {

Trainer::Trainer(Job& job, run::Progress& progress, track::Tracker& tracker, Saves& saves,
                 Profile& profile, track::Console& console, const run::Stop& stop)
    : recipe_(job.recipe),
      job_(job),
      trained_(job.trained),
      course_(job.course),
      group_(*job.group),
      shards_(job.shards.get()),
      progress_(progress),
      tracker_(tracker),
      saves_(saves),
      profile_(profile),
      stop_(stop),
      reached_step_(job.group->rank()),
      end_rule_(job.recipe, job.course.windows),
      utilization_(job),
      histograms_(job),
      updates_(job, progress,
               {.end = job.course.end(),
                .warn = [&console](const std::string& text) { console.warn(text); },
                .save =
                    [this] {
                      if (progress_.step > 0) save_now();
                    },
                .word = [this] { return own_word(); },
                .meets = job.recipe.profile.has_value(),
                .watcher = this}),
      report_cadence_("track.every", {job.recipe.track.every}, job.course.windows),
      save_cadence_("checkpoint.every", job.recipe.checkpoint.every, job.course.windows),
      evaluate_cadence_("evaluate.every", {job.recipe.evaluate.every}, job.course.windows),
      clock_(std::chrono::steady_clock::now()),
      reported_samples_(progress.samples),
      reported_seconds_(progress.seconds) {
  reached_step_.note(progress_.step);
  if (job.sets.validation)
    validation_.emplace(evaluation_of(job, "validation", *job.sets.validation));
  if (job.recipe.evaluate.generate) texts_.emplace(job);
}

// --- the loop ------------------------------------------------------------------------------------

Ending Trainer::run() {
  trained_.model->train(true);
  if (texts_ && progress_.step == 0) texts_->try_model();
  keep_time();
  heed_evaluations();
  evaluate_if_due();  // at the start, or repeats an evaluation that a stop has interrupted
  while (!is_finished() && !is_stopped()) {
    profile_.begin_step(progress_.step + 1);
    update();
    report_if_due();
    save_if_due();
    evaluate_if_due();
    saves_.look();
  }
  profile_.end_run();
  // An early stop follows from the evaluation after the step, when its report was not due yet.
  if (why_early_) report();
  // A stop during the last evaluation leaves the run unfinished: the next start evaluates.
  const bool is_whole = is_finished() && !evaluation_is_due();
  if (progress_.step > 0) save_now();
  return is_whole ? Ending::finished : Ending::stopped;
}

void Trainer::update() {
  const double factor = course_.schedule.factor(progress_.step) * plateau_;
  lr_ = course_.rate * factor;
  updates_.make(factor);
  reached_step_.note(progress_.step);
  // A signal must wait for a save from here on, and not end the process.
  run::Stop::set_nothing_to_save(false);
  keep_time_of_update();
}

void Trainer::report_if_due() {
  const bool is_due = report_cadence_.due(progress_.step, progress_.reported_at, progress_.seconds);
  if (is_due || is_finished()) report();
}

void Trainer::save_if_due() {
  if (!save_cadence_.due(progress_.step, progress_.saved_at, progress_.seconds)) return;
  updates_.settle();
  // Set before the snapshot, which contains it, and reset if an earlier save is still running.
  const double before = progress_.saved_at;
  progress_.saved_at = progress_.seconds;
  if (!saves_.offer()) progress_.saved_at = before;
}

void Trainer::evaluate_if_due() {
  if (!evaluation_is_due()) return;
  updates_.settle();
  const auto evaluated = evaluate();
  keep_time();             // the time of an evaluation is part of the run
  if (!evaluated) return;  // it is due again
  progress_.evaluated_at = progress_.seconds;
  tracker_.evaluated(evaluated->found.numbers);
  tracker_.generated(evaluated->texts);
  if (evaluated->found.predictions) keep_predictions(*evaluated->found.predictions);
  if (histograms_.are_wanted()) tracker_.spread(histograms_.take(progress_.step));
  heed_evaluations();
  const bool is_best = plan::is_best(tracker_.evaluations(), course_.objective);
  if (is_best && recipe_.checkpoint.keep.best.value() > 0 && progress_.step > 0) save_best();
}

std::optional<Trainer::Evaluated> Trainer::evaluate() {
  const trace::Span part("evaluation");
  std::optional<Evaluated> evaluated;
  {
    const optimize::AveragedWeights averaged(trained_.average.get());
    gather_averaged();
    evaluated = evaluate_model();
  }
  gather_averaged();
  return evaluated;
}

std::optional<Trainer::Evaluated> Trainer::evaluate_model() {
  auto found = validation_->run_with_samples(*trained_.model, progress_.step, stop_);
  if (!found) return std::nullopt;
  std::optional<track::GeneratedTexts> texts(std::in_place);
  if (texts_) texts = texts_->write(progress_.step, stop_);
  if (!texts) return std::nullopt;
  return Evaluated{std::move(*found), std::move(*texts)};
}

void Trainer::keep_predictions(const PredictionTally& tally) {
  if (!group_.is_first()) return;
  std::vector<std::size_t> inputs;
  for (const auto& field : job_.fields.inputs)
    if (field) inputs.push_back(*field);
  tracker_.predicted(shown(tally, progress_.step,
                           {validation_->name, *job_.sets.validation, std::move(inputs),
                            job_.sets.tokenizer.get(), recipe_}));
}

/// Sends the parameters of all ranks after the averages were put in their place, or taken from it.
void Trainer::gather_averaged() {
  if (shards_ && trained_.average && trained_.average->count() > 0) shards_->gather();
}

void Trainer::heed_evaluations() {
  const plan::Evaluations& done = tracker_.evaluations();
  plateau_ = course_.schedule.factor_of(end_rule_.planned(done));
  why_early_ = end_rule_.why_early(progress_.step, done);
}

void Trainer::done(UpdatePart part, const PendingUpdate& update) {
  utilization_.done(part, update);
  if (part != UpdatePart::reduce || !histograms_.are_wanted()) return;
  const std::uint64_t step = progress_.step + 1;  // this update is not counted yet
  const bool is_evaluated = end_rule_.is_whole(step, progress_.seconds) ||
                            evaluate_cadence_.due(step, progress_.evaluated_at, progress_.seconds);
  if (is_evaluated) histograms_.take_gradients(update, progress_.loss_scale.value);
}

// --- conditions ----------------------------------------------------------------------------------

bool Trainer::is_finished() const {
  return why_early_ || end_rule_.is_whole(progress_.step, progress_.seconds);
}

bool Trainer::is_stopped() const {
  return group_.is_alone() ? stop_.is_asked_at(progress_.step) : is_any_stopped_;
}

bool Trainer::evaluation_is_due() const {
  if (!validation_) return false;
  const plan::Evaluations& done = tracker_.evaluations();
  const bool is_done = std::any_of(done.rbegin(), done.rend(), [&](const plan::Evaluation& each) {
    return each.step == progress_.step && each.set == validation_->name;
  });
  if (is_done) return false;
  if (progress_.step == 0) return recipe_.evaluate.at_start;
  return is_finished() ||
         evaluate_cadence_.due(progress_.step, progress_.evaluated_at, progress_.seconds);
}

// --- actions -------------------------------------------------------------------------------------

void Trainer::report() {
  if (progress_.samples == reported_samples_) return;
  updates_.settle();
  if (group_.is_alone())
    keep_time();  // a message for several ranks, whose time is that of the update
  track::Report report;
  report.step = progress_.step;
  report.epoch =
      static_cast<double>(progress_.step) / static_cast<double>(course_.windows.steps_per_epoch());
  report.samples = progress_.samples;
  report.time = progress_.seconds;
  report.loss = progress_.loss_sum / progress_.loss_weight;
  report.lr = lr_;
  report.gradient_norm = updates_.gradient_norm();
  const double seconds = progress_.seconds - reported_seconds_;
  report.samples_per_second = static_cast<double>(progress_.samples - reported_samples_) / seconds;
  report.data_wait = (updates_.waited() - reported_wait_) / seconds;
  report.skipped = progress_.skipped;
  report.mfu = utilization_.of(report.samples_per_second);
  tracker_.report(report);
  progress_.loss_sum = progress_.loss_weight = 0;
  progress_.reported_at = reported_seconds_ = progress_.seconds;
  reported_samples_ = progress_.samples;
  reported_wait_ = updates_.waited();
}

double Trainer::time_passed() {
  const auto now = std::chrono::steady_clock::now();
  const double seconds = std::chrono::duration<double>(now - clock_).count();
  clock_ = now;
  // All ranks must count the same time, because intervals and the end of the run follow from it.
  return group_.is_first() ? seconds : 0;
}

Word Trainer::own_word() {
  return {time_passed(), stop_.is_asked_at(progress_.step + 1), saves_.is_part_written()};
}

void Trainer::keep_time_of_update() {
  if (group_.is_alone()) return keep_time();
  heed(updates_.agreed());
}

void Trainer::keep_time() {
  std::array<double, 3> shared{time_passed(), stop_.is_asked_at(progress_.step) ? 1.0 : 0.0,
                               saves_.is_part_written() ? 1.0 : 0.0};
  group_.sum(shared);
  heed({shared[0], shared[1] != 0, shared[2] == group_.ranks()});
}

void Trainer::heed(const Word& word) {
  progress_.seconds += word.seconds;
  is_any_stopped_ = word.is_asked_to_stop;
  saves_.heed(word.is_part_written);
}

void Trainer::save_best() {
  progress_.saved_at = progress_.seconds;
  saves_.save_best();
}

void Trainer::save_now() {
  updates_.settle();
  progress_.saved_at = progress_.seconds;
  saves_.save_now();
}

}  // namespace knead::engine
