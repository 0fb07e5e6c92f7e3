#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runner/engine/batch/model_output.h"
#include "runner/engine/job/job.h"
#include "runner/plan/evaluations.h"
#include "runner/run/stop.h"

namespace knead::engine {

/// How a set is evaluated: each of its samples once, in its order, without gradients and in
/// evaluation mode. Sums are added batch by batch in float64. Training does not notice: its order,
/// its random numbers and its running statistics are untouched.
struct SetEvaluation {
  std::string name;  // validation, test
  const data::Set& set;
  FeedFields fields;
  std::uint64_t batch;  // samples at once
  data::Reading reading;
  OutputKey output;
  losses::Loss& loss;
  const std::vector<std::unique_ptr<metrics::Metric>>& measures;
  std::uint64_t seed;  // of models that draw random numbers even now
  recipe::Precision precision;

  /// What the model makes of the set after `step` steps; nothing where a stop is asked for
  /// meanwhile. The model is in train mode before and after.
  /// Throws knead::Error where the output and the targets do not fit the loss or a metric, and
  /// where no target counts.
  std::optional<plan::Evaluation> run(model::Model& model, std::uint64_t step,
                                      const Stop& stop) const;

  /// Evaluates the first batch, for the errors that run() would throw of it, and of the whole set
  /// where that is all.
  void try_first_batch(model::Model& model) const;

 private:
  struct Sums;
  void add(model::Model& model, Feed& feed, Sums& sums) const;
  void expect_targets(const Sums& sums) const;
  Feed feed() const;
};

/// Returns how `set`, one of the job's, is evaluated. The job outlives it.
SetEvaluation evaluation_of(Job& job, const std::string& name, const data::Set& set);

}  // namespace knead::engine
