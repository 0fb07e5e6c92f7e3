#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "recipe.h"
#include "runner/data/sets/sets.h"
#include "runner/engine/batch/feed.h"
#include "runner/engine/job/initial_weights.h"
#include "runner/engine/losses/loss.h"
#include "runner/engine/metrics/metric.h"
#include "runner/engine/model/module/model.h"
#include "runner/engine/optimize/average.h"
#include "runner/engine/optimize/optimizer.h"
#include "runner/plan/schedule.h"
#include "runner/plan/windows.h"

namespace knead::engine {

/// Holds all that a recipe names, made and checked, before its first step.
struct Job {
  recipe::Recipe recipe;  // resolved
  data::Sets sets;
  std::unique_ptr<model::Model> model;
  std::string model_digest;
  std::optional<InitialWeights> weights;  // of model.weights; if resumed, only the identity
  std::unique_ptr<losses::Loss> loss;
  std::vector<std::unique_ptr<metrics::Metric>> metrics;
  std::unique_ptr<optimize::Optimizer> optimizer;
  FeedFields fields;
  plan::Windows windows;
  std::optional<std::uint64_t> steps;  // std::nullopt if the run's length is a time
  plan::Schedule schedule;
  std::unique_ptr<optimize::Average> average;  // null if the recipe has none
  double rate;                                 // optimizer.lr

  /// Returns the loss of samples for which forward returned `returned`. Throws as
  /// losses::Loss::of(), at forward's return if that is known.
  losses::Part loss_of(const c10::IValue& returned, const Samples& samples);

  /// Returns the step after which the run ends; the largest number if a time ends it.
  std::uint64_t end() const {
    if (steps) return *steps;
    return std::numeric_limits<std::uint64_t>::max();
  }

  /// Returns the options for reading batches.
  data::Reading reading() const { return {recipe.data.workers, recipe.data.prefetch}; }
};

/// Tells whether a run begins, or resumes from a checkpoint that holds its weights.
enum class Start { begins, goes_on };

/// Reads the data and builds the model, the loss, the metrics and the optimizer of a resolved
/// recipe. A run that begins draws its initial weights from the seed, or loads them. Throws
/// knead::Error for any of these that cannot be used.
Job prepare(recipe::Recipe recipe, Start start = Start::begins,
            data::TrainingSet training_set = data::TrainingSet::for_training);

/// Returns the identity of the weights that a job begins with, for check_resume(); std::nullopt if
/// the recipe names none.
std::optional<std::string> weights_of(const Job& job);

}  // namespace knead::engine
