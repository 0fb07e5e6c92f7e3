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

/// All that a recipe names, made and checked: what is trained, before its first step.
struct Job {
  recipe::Recipe recipe;  // resolved
  data::Sets sets;
  std::unique_ptr<model::Model> model;
  std::string model_digest;
  std::optional<InitialWeights> weights;  // of model.weights; of a run that goes on, what is known
  std::unique_ptr<losses::Loss> loss;
  std::vector<std::unique_ptr<metrics::Metric>> metrics;
  std::unique_ptr<optimize::Optimizer> optimizer;
  FeedFields fields;
  plan::Windows windows;
  std::optional<std::uint64_t> steps;  // nothing where the run's length is a time
  plan::Schedule schedule;
  std::unique_ptr<optimize::Average> average;  // null where the recipe has none
  double rate;                                 // optimizer.lr

  /// The loss of samples that forward returned this for.
  losses::Part loss_of(const c10::IValue& returned, const Samples& samples);

  /// The step that the run ends after; the largest number where a time ends it.
  std::uint64_t end() const {
    if (steps) return *steps;
    return std::numeric_limits<std::uint64_t>::max();
  }

  /// How batches are read.
  data::Reading reading() const { return {recipe.data.workers, recipe.data.prefetch}; }
};

/// A run that begins, or one that goes on from a checkpoint: its weights come from there.
enum class Start { begins, goes_on };

/// Reads the data, builds the model (its initial weights drawn from the seed, or loaded), the
/// loss and the optimizer of a resolved recipe. Throws knead::Error for whatever of them cannot be
/// used.
Job prepare(recipe::Recipe recipe, Start start = Start::begins);

/// What the weights are that a job begins with, as check_resume() wants to know it.
std::optional<std::string> weights_of(const Job& job);

}  // namespace knead::engine
