#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runner/engine/generate/evaluated_texts.h"
#include "runner/engine/job/job.h"
#include "runner/engine/profile/profile.h"
#include "runner/engine/step/evaluation.h"
#include "runner/engine/step/update.h"
#include "runner/engine/train/saves.h"
#include "runner/engine/train/utilization.h"
#include "runner/engine/train/value_histograms.h"
#include "runner/plan/due.h"
#include "runner/plan/end_rule.h"
#include "runner/run/progress.h"
#include "runner/run/reached_step.h"
#include "runner/run/stop.h"
#include "runner/track/tracker.h"

namespace knead::engine {

/// Tells whether a run reached its end or was stopped before it.
enum class Ending { finished, stopped };

/// Runs the training loop, on each rank the same: what ranks could decide differently, because it
/// depends on a clock, a signal or a disk, rank 0 decides for all. The design's page training.md
/// defines a step; run() and update() alone define the order of the parts: update, report, save,
/// evaluate, save if best. Construct it after the snapshot is restored, call run() once. Runs on
/// one thread; saves go on in the background.
class Trainer final : private UpdateWatcher {
 public:
  /// Continues from `progress`, which it keeps current. The objects that are passed by reference
  /// must outlive the trainer. Starts the readers of the training set. Throws knead::Error if an
  /// interval of the recipe has a unit that the data lacks.
  Trainer(Job& job, run::Progress& progress, track::Tracker& tracker, Saves& saves,
          Profile& profile, track::Console& console, const run::Stop& stop);

  /// Trains to the end of the run or until a stop is requested; a stop during a step takes effect
  /// after it. In both cases the last step is saved when the function returns; a run without a step
  /// saves nothing. Evaluates first if the restored step lacks an evaluation that is due. Throws
  /// knead::Error if training, its last save, or three saves in a row fail; another failed save is
  /// only a warning.
  Ending run();

  /// Returns the reason for an early stop; std::nullopt if the run was not stopped early.
  const std::optional<std::string>& why_stopped_early() const { return why_early_; }

 private:
  /// Makes one update at the learning rate of the schedule and of the evaluations so far.
  void update();
  /// Reports at the end of an interval of track.every, and at the end of the run.
  void report_if_due();
  /// Saves in the background at the end of an interval of checkpoint.every; skips the save if an
  /// earlier one still runs, and tries again after the next step if the interval is a time.
  void save_if_due();

  /// Evaluates if due, then saves the step if its evaluation is the best so far.
  void evaluate_if_due();

  /// Holds what an evaluation gives: numbers; predictions and texts if the recipe wants them.
  struct Evaluated {
    SetEvaluation::Found found;
    track::GeneratedTexts texts;
  };

  /// Evaluates the validation set, with averaged weights if the recipe has them. Returns
  /// std::nullopt if a stop is requested meanwhile.
  std::optional<Evaluated> evaluate();

  /// Evaluates with the weights that the model has now.
  std::optional<Evaluated> evaluate_model();

  /// Shows the predictions of an evaluation in the run's folder. Rank 0 alone.
  void keep_predictions(const PredictionTally& tally);

  void gather_averaged();

  /// Derives the factor of the plateau schedule and an early stop from the evaluations so far.
  void heed_evaluations();

  /// Returns whether the run has reached its length or is stopped early.
  bool is_finished() const;

  /// Returns whether any rank is requested to stop.
  bool is_stopped() const;

  /// Measures the work of the first micro-batch, and the gradients of a step that an evaluation
  /// follows.
  void done(UpdatePart part, const PendingUpdate& update) override;

  /// Returns whether the present step is to be evaluated and is not yet.
  bool evaluation_is_due() const;

  /// Reports the steps since the last report, unless there are none, and begins new sums. The loss
  /// is NaN if no target of them counted.
  void report();

  /// Returns the seconds since the last call, by the clock of rank 0; 0 on other ranks.
  double time_passed();

  /// Returns what this rank tells the others during an update, about the time up to then and
  /// whether the run shall stop after it.
  Word own_word();

  /// Adds the time of the last update to progress_.seconds, and finds out whether any rank is
  /// requested to stop. Several ranks have told each other so in the update itself.
  void keep_time_of_update();

  /// Adds the time since the last call to progress_.seconds, outside of an update.
  void keep_time();

  /// Takes over what all ranks have said.
  void heed(const Word& word);

  /// Saves the present step in the background, after an earlier save has ended.
  void save_best();

  /// Saves the present step and waits until it is durable.
  void save_now();

  const recipe::Recipe& recipe_;
  const Job& job_;
  Trained& trained_;
  const Course& course_;
  parallel::Group& group_;
  parallel::Shards* shards_;  // null if this process has all parameters
  run::Progress& progress_;
  track::Tracker& tracker_;
  Saves& saves_;
  Profile& profile_;
  const run::Stop& stop_;
  run::ReachedStep reached_step_;
  plan::EndRule end_rule_;

  Utilization utilization_;
  ValueHistograms histograms_;
  Updates updates_;
  /// Evaluates the validation set; std::nullopt without one.
  std::optional<SetEvaluation> validation_;
  /// Writes the texts of evaluate.generate; std::nullopt without that block.
  std::optional<EvaluatedTexts> texts_;
  plan::Cadence report_cadence_, save_cadence_, evaluate_cadence_;
  bool is_any_stopped_ = false;           // a rank was requested to stop when time was kept last
  double plateau_ = 1;                    // learning rate factor of the plateau schedule
  std::optional<std::string> why_early_;  // reason of an early stop

  double lr_ = 0;                                // of the last update
  std::chrono::steady_clock::time_point clock_;  // last update of progress_.seconds
  std::uint64_t reported_samples_;               // at the last report, to compute the speed
  double reported_seconds_;                      // at the last report
  double reported_wait_ = 0;                     // seconds of data wait at the last report
};

}  // namespace knead::engine
