#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runner/engine/batch/model_output.h"
#include "runner/engine/job/job.h"
#include "runner/engine/predictions/tally.h"
#include "runner/plan/evaluations.h"
#include "runner/run/stop.h"

namespace knead::engine {

/// Evaluates a data set: each sample once, in order, without gradients and in evaluation mode. The
/// sums of the batches are added in float64. The order, the random numbers and the running
/// statistics of training stay as they are. Several ranks divide the batches among them, and all
/// get the result that one rank computes, to the last bit: the batches stay whole, and their
/// results are added in the same order. Borrows the set, the loss and the metrics. Each call reads
/// the set anew with its own reader threads. evaluation_of() makes it.
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
  std::shared_ptr<parallel::Group> group;
  /// Gathers the parameters of units, which all ranks must do together; null if each rank has all
  /// parameters. Borrowed, because the parameters come back with the end of the shards.
  parallel::Shards* shards;

  /// Says how to judge each sample by itself (evaluate.samples): the loss of the recipe, and how
  /// many samples are kept. 0: none is judged.
  const recipe::Loss& recipe_loss;
  std::size_t kept_samples = 0;

  /// Holds the loss first, then the metrics by name, in the order of the recipe.
  using Values = std::vector<std::pair<std::string, double>>;

  /// Returns the loss and the metrics of the model on the set, labelled as those of step `step`;
  /// std::nullopt if a stop is requested on any rank before its last batch. Random numbers depend
  /// on the seed, the step and the batch only. All ranks must call it. A metric that is not defined
  /// for the set is NaN. Leaves the model in train mode, with the buffers and attributes of before,
  /// also if it throws. Throws knead::Error if the output and the targets do not fit the loss or a
  /// metric, or if all targets are ignored or have the weight 0.
  std::optional<plan::Evaluation> run(model::Model& model, std::uint64_t step,
                                      const run::Stop& stop) const;

  /// Holds what an evaluation finds.
  struct Found {
    plan::Evaluation numbers;
    std::optional<PredictionTally> predictions;  // if samples are judged; equal on all ranks
  };

  /// Evaluates as run(), and judges each sample if `kept_samples` is not 0.
  std::optional<Found> run_with_samples(model::Model& model, std::uint64_t step,
                                        const run::Stop& stop) const;

  /// Evaluates only the first batch and throws the errors that run() would throw for it, so that a
  /// run finds them before its first step. If the first batch is the whole set, its targets are
  /// checked as run() checks them. `as_in_training`: forward may compute gradients by itself.
  void try_first_batch(model::Model& model, bool as_in_training = false) const;

  /// Evaluates only the first batch as try_first_batch() does. Returns its loss and its metrics;
  /// empty if no target of it counts.
  Values values_of_first_batch(model::Model& model) const;

 private:
  /// Holds the sums of the loss, its weights and the metric states over some batches.
  struct Sums;
  Sums first_batch(model::Model& model, bool as_in_training = false) const;
  Values values_of(const Sums& sums) const;
  Sums sums_of_next(model::Model& model, Feed& feed, PredictionTally* tally) const;
  PredictionTally merge_over_ranks(const PredictionTally& own) const;
  void add(Sums part, Sums& total) const;
  Sums add_over_ranks(const std::vector<Sums>& own) const;
  void expect_targets(const Sums& sums) const;
  Feed feed(const plan::Window& batches) const;
};

/// Returns the evaluation of `set`, one of the job's sets, as the recipe configures it. `name`
/// labels the results and the names of the reader threads. The result refers to the job, which must
/// outlive it. Reads nothing yet.
SetEvaluation evaluation_of(Job& job, const std::string& name, const data::Set& set);

/// Runs an interpreted model on the first batch of the training set, and no other model: the
/// mistakes in its forward show only when it runs. Nothing changes.
void try_interpreted(Job& job);

/// Evaluates the first batch of each set, so that mistakes in a set show before the first step and
/// not after the first epoch.
void try_evaluations(Job& job);

}  // namespace knead::engine
