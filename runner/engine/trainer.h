#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include <ATen/core/Tensor.h>
#include <nlohmann/json.hpp>

#include "runner/engine/feed.h"
#include "runner/engine/generators.h"
#include "runner/engine/job.h"
#include "runner/engine/optimize/clip.h"
#include "runner/engine/pass.h"
#include "runner/engine/profile.h"
#include "runner/engine/progress.h"
#include "runner/engine/saver.h"
#include "runner/engine/stop.h"
#include "runner/plan/due.h"
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
          const Stop& stop, nlohmann::json facts);

  /// Trains to the end of the run, or until a stop is asked for; either way the last step is saved
  /// when this returns. Throws knead::Error where training failed.
  Ending run();

  /// Why the run ended before its length; nothing where it did not.
  const std::optional<std::string>& why_stopped_early() const { return why_early_; }

 private:
  /// Σ over the micro-batches of an update.
  struct Sums {
    double loss = 0;
    double weight = 0;
  };

  void update();
  const data::Batch& next_batch();
  Sums run_micro_batches(std::uint64_t samples);
  losses::Part loss_of(MicroBatch part);
  void backward(const at::Tensor& sum);
  double gradient_scale() const;  // of the sums that backward begins at
  void leave_out(const data::Batch& batch, const Sums& sums);
  void count(const Sums& sums, const data::Batch& batch);
  void report_if_due();
  void save_if_due();
  void evaluate_if_due();
  std::optional<plan::Evaluation> evaluate();
  void heed_evaluations();

  bool is_finished() const;
  bool evaluation_is_due() const;
  void report();
  void keep_time();
  void remember();
  void go_back();
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

  Feed feed_;
  Pass pass_;
  optimize::Clip clip_;
  std::optional<SetEvaluation> validation_;
  plan::Cadence report_cadence_, save_cadence_, evaluate_cadence_;
  double prescale_;       // a power of two near 1 / batch.size: keeps gradients of sums in range
  std::int64_t numbers_;  // in all parameters

  double plateau_ = 1;                    // the factor that follows from evaluations
  std::optional<std::string> why_early_;  // the run is to end, because of evaluations

  double lr_ = 0;                                // of the last update
  double norm_ = 0;                              // of its gradients
  std::chrono::steady_clock::time_point clock_;  // when progress_.seconds was last true
  std::uint64_t reported_samples_;               // where the speed is counted from
  double reported_seconds_;
  double reported_wait_ = 0;
  std::vector<at::Tensor> buffers_before_;  // forward may change them
  model::Attributes attributes_before_;     // and these
  GeneratorState generator_before_;         // the step that is being made
};

}  // namespace knead::engine
