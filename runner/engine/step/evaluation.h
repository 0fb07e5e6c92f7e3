#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runner/engine/batch/model_output.h"
#include "runner/engine/job/job.h"
#include "runner/plan/evaluations.h"
#include "runner/run/stop.h"

namespace knead::engine {

/// Evaluates a data set: each sample once, in order, without gradients and in evaluation mode. The
/// sums of the batches are added in float64. The order, the random numbers and the running
/// statistics of training stay as they are. Borrows the set, the loss and the metrics. Each call
/// reads the set anew with its own reader threads. evaluation_of() makes it.
struct SetEvaluation {
  /// Names the set in results and messages: "train", "validation" or "test".
  std::string name;
  const data::Set& set;
  FeedFields fields;
  /// Samples per forward call, `evaluate.batch`; the last call of a set may have fewer.
  std::uint64_t batch;
  data::Reading reading;
  OutputKey output;
  losses::Loss& loss;
  const std::vector<std::unique_ptr<metrics::Metric>>& measures;
  /// Seed for models that draw random numbers in evaluation mode.
  std::uint64_t seed;
  recipe::Precision precision;

  /// Holds the loss first, then the metrics by name, in the order of the recipe.
  using Values = std::vector<std::pair<std::string, double>>;

  /// Returns the loss and the metrics of the model on the set, labelled as those of step `step`;
  /// std::nullopt if a stop is requested before the last batch. Random numbers depend on the seed
  /// and the step only. A metric that is not defined for the set is NaN. Leaves the model in train
  /// mode, with the buffers and attributes of before, also if it throws. Throws knead::Error if the
  /// output and the targets do not fit the loss or a metric, or if all targets are ignored or have
  /// the weight 0.
  std::optional<plan::Evaluation> run(model::Model& model, std::uint64_t step,
                                      const run::Stop& stop) const;

  /// Evaluates only the first batch and throws the errors that run() would throw for it, so that a
  /// run finds them before its first step. If the first batch is the whole set, its targets are
  /// checked as run() checks them.
  void try_first_batch(model::Model& model) const;

  /// Evaluates only the first batch as try_first_batch() does. Returns its loss and its metrics;
  /// empty if no target of it counts.
  Values values_of_first_batch(model::Model& model) const;

 private:
  /// Holds the sums of the loss, its weights and the metric states over the batches so far.
  struct Sums;
  Sums first_batch(model::Model& model) const;
  Values values_of(const Sums& sums) const;
  void add(model::Model& model, Feed& feed, Sums& sums) const;
  void expect_targets(const Sums& sums) const;
  Feed feed() const;
};

/// Returns the evaluation of `set`, one of the job's sets, as the recipe configures it. `name`
/// labels the results and the names of the reader threads. The result refers to the job, which must
/// outlive it. Reads nothing yet.
SetEvaluation evaluation_of(Job& job, const std::string& name, const data::Set& set);

/// Runs an interpreted model on the first batch of the training set, and no other model: the
/// mistakes in its forward show only when it runs. Nothing changes.
void try_interpreted(Job& job);

}  // namespace knead::engine
