#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "recipe.h"
#include "runner/data/sets/sets.h"
#include "runner/engine/batch/feed.h"
#include "runner/engine/batch/model_output.h"
#include "runner/engine/job/initial_weights.h"
#include "runner/engine/losses/loss.h"
#include "runner/engine/metrics/metric.h"
#include "runner/engine/model/module/model.h"
#include "runner/engine/optimize/average.h"
#include "runner/engine/optimize/optimizer.h"
#include "runner/plan/decide.h"
#include "runner/plan/schedule.h"
#include "runner/plan/windows.h"

namespace knead::engine {

/// Holds the model of a recipe and all that works on it: what judges it and what changes it.
struct Trained {
  std::unique_ptr<model::Model> model;
  OutputKey output;  // model.output: selects what the loss takes from the result of forward
  std::unique_ptr<losses::Loss> loss;
  std::vector<std::unique_ptr<metrics::Metric>> metrics;
  std::unique_ptr<optimize::Optimizer> optimizer;
  std::unique_ptr<optimize::Average> average;  // null if the recipe has none

  /// Returns the loss of samples for which forward returned `returned`. Throws as
  /// losses::Loss::of(), at forward's return if that is known.
  losses::Part loss_of(const c10::IValue& returned, const Samples& samples);
};

/// Holds the plan of a run: which samples and which learning rate each step takes, where the run
/// ends, and which evaluation is the best.
struct Course {
  plan::Windows windows;
  std::optional<std::uint64_t> steps;  // std::nullopt if the run's length is a time
  plan::Schedule schedule;
  plan::Objective objective;
  double rate = 0;  // optimizer.lr

  /// Returns the step after which the run ends; the largest number if a time ends it.
  std::uint64_t end() const {
    if (steps) return *steps;
    return std::numeric_limits<std::uint64_t>::max();
  }

  /// Returns the learning rate of a step, counted from 1, without the factor of evaluations.
  double rate_at(std::uint64_t step) const { return rate * schedule.factor(step - 1); }
};

/// Identifies what a run began with. A resumed run compares it.
struct Origin {
  std::string model_digest;               // of the model's files
  std::optional<InitialWeights> weights;  // of model.weights; if resumed, only the identity

  /// Returns the identity of the initial weights, for check_resume(); std::nullopt if the recipe
  /// names none.
  std::optional<std::string> identity_of_weights() const {
    return weights ? std::optional(weights->identity) : std::nullopt;
  }
};

/// Holds all that a recipe names, made and checked, before its first step.
struct Job {
  recipe::Recipe recipe;  // resolved
  data::Sets sets;
  FeedFields fields;
  Trained trained;
  Course course;
  Origin origin;

  /// Returns the options for reading batches.
  data::Reading reading() const { return {recipe.data.workers, recipe.data.prefetch}; }
};

/// Tells whether a run begins, or resumes from a checkpoint that holds its weights.
enum class Start { begins, resumes };

/// Reads the data and builds the model, the loss, the metrics and the optimizer of a resolved
/// recipe. A run that begins draws its initial weights from the seed, or loads them. Throws
/// knead::Error for any of these that cannot be used.
Job prepare(recipe::Recipe recipe, Start start = Start::begins,
            data::Augmentation augmentation = data::Augmentation::drawn);

}  // namespace knead::engine
