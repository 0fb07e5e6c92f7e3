#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include <nlohmann/json.hpp>

#include "runner/engine/job/job.h"
#include "runner/engine/profile/profile.h"
#include "runner/engine/step/evaluation.h"
#include "runner/engine/step/update.h"
#include "runner/plan/due.h"
#include "runner/run/progress.h"
#include "runner/run/saver.h"
#include "runner/run/stop.h"
#include "runner/track/tracker.h"

namespace knead::engine {

/// How a run ended.
enum class Ending { finished, stopped };

/// The loop. What a step means is written in training.md of the design; the order of things is
/// written in run() and update(), and nowhere else.
class Trainer {
 public:
  /// From where `progress` says. `facts`: what every checkpoint's manifest says about the run. All
  /// arguments outlive the trainer.
  Trainer(Job& job, Progress& progress, track::Tracker& tracker, Saver& saver, Profile& profile,
          track::Console& console, const Stop& stop, nlohmann::json facts);

  /// Trains to the end of the run, or until a stop is asked for; either way the last step is saved
  /// when this returns. Throws knead::Error where training failed.
  Ending run();

  /// Why the run ended before its length; nothing where it did not.
  const std::optional<std::string>& why_stopped_early() const { return why_early_; }

 private:
  void update();
  void report_if_due();
  void save_if_due();
  void evaluate_if_due();
  std::optional<plan::Evaluation> evaluate();
  void heed_evaluations();
  plan::Evaluations planned_evaluations() const;

  bool is_finished() const;
  bool evaluation_is_due() const;
  void report();
  void keep_time();
  void save_best();
  void save_now();
  checkpoint::Snapshot snapshot() const;

  Job& job_;
  Progress& progress_;
  track::Tracker& tracker_;
  Saver& saver_;
  Profile& profile_;
  const Stop& stop_;
  nlohmann::json facts_;

  Updates updates_;
  std::optional<SetEvaluation> validation_;
  plan::Cadence report_cadence_, save_cadence_, evaluate_cadence_;
  double plateau_ = 1;                    // the factor that follows from evaluations
  std::optional<std::string> why_early_;  // the run is to end, because of evaluations

  double lr_ = 0;                                // of the last update
  std::chrono::steady_clock::time_point clock_;  // when progress_.seconds was last true
  std::uint64_t reported_samples_;               // where the speed is counted from
  double reported_seconds_;
  double reported_wait_ = 0;
};

}  // namespace knead::engine
