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
#include "runner/engine/parallel/group.h"
#include "runner/engine/parallel/shards.h"
#include "runner/engine/tensor/scratch_tensors.h"
#include "runner/plan/decide.h"
#include "runner/plan/schedule.h"
#include "runner/plan/windows.h"

namespace knead::engine {

/// Holds the model of a recipe and all that works on it: what judges it and what changes it. The
/// optimizer and the average refer to the tensors of the model, so that all live together.
struct Trained {
  std::unique_ptr<model::Model> model;
  /// Holds model.output: selects what the loss takes from the result of forward.
  OutputKey output;
  std::unique_ptr<losses::Loss> loss;
  std::vector<std::unique_ptr<metrics::Metric>> metrics;
  std::unique_ptr<optimize::Optimizer> optimizer;
  /// Averages the weights; null if the recipe has no `average`.
  std::unique_ptr<optimize::Average> average;

  /// Returns the loss of samples for which forward returned `returned`, with its graph if gradients
  /// are enabled. Throws as losses::Loss::of(); for a model from source the error points to the
  /// return of forward.
  losses::Part loss_of(const c10::IValue& returned, const Samples& samples);
};

/// Holds the plan of a run: which samples and which learning rate each step takes, where the run
/// ends, and which evaluation is the best. Follows from the recipe and the number of training
/// samples alone.
struct Course {
  /// Divides the training set into steps.
  plan::Windows windows;
  /// Holds the length of the run; std::nullopt if it is a time.
  std::optional<std::uint64_t> steps;
  /// Holds the factor on the learning rate, which counts steps from 0.
  plan::Schedule schedule;
  /// Holds the metric that evaluate.monitor names, and its direction.
  plan::Objective objective;
  /// Holds optimizer.lr, on which the schedule is a factor; groups may have rates of their own.
  double rate = 0;

  /// Returns the step after which the run ends, counted from 1; the largest number if a time ends
  /// it.
  std::uint64_t end() const {
    if (steps) return *steps;
    return std::numeric_limits<std::uint64_t>::max();
  }

  /// Returns the learning rate of a step, counted from 1, without the factor of a plateau, which
  /// follows from evaluations.
  double rate_at(std::uint64_t step) const { return rate * schedule.factor(step - 1); }
};

/// Identifies what a run began with. A resumed run compares it.
struct Origin {
  /// Holds the digest of the model's files, BuiltModel::digest.
  std::string model_digest;
  /// Describes model.weights; std::nullopt if the recipe names none. If the run resumes, only the
  /// identity is filled in.
  std::optional<InitialWeights> weights;

  /// Returns the identity of the initial weights, for check_resume(): empty if they cannot be
  /// found, std::nullopt if the recipe names none.
  std::optional<std::string> identity_of_weights() const {
    return weights ? std::optional(weights->identity) : std::nullopt;
  }
};

/// Holds all that a recipe names, made and checked, before its first step. prepare() makes it. An
/// unused job has made no update; a job is trained, measured or rehearsed once. Feeds and
/// evaluations refer to it, so it must not be moved while they live.
struct Job {
  /// Holds the resolved recipe; `threads` may still be open, until choose_threads().
  recipe::Recipe recipe;
  /// Holds the opened data sets and the order of training samples.
  data::Sets sets;
  /// Selects the fields that the model, the loss and the metrics take.
  FeedFields fields;
  Trained trained;
  Course course;
  Origin origin;
  /// Connects the ranks that train the job. Not null: prepare() makes a group of this process
  /// alone.
  std::shared_ptr<parallel::Group> group;
  /// Divides the parameters among the ranks, if distributed.strategy says so; else null. Then the
  /// optimizer and the average are those of this rank's pieces.
  std::shared_ptr<parallel::Shards> shards;
  /// Bounds the memory of parameters that no rank will hold whole, until divide(); else null.
  std::unique_ptr<ScratchTensors> start_files;

  /// Returns the options for reading batches; evaluations add their purpose.
  data::Reading reading() const { return {recipe.data.workers, recipe.data.prefetch}; }
  /// Returns the options for reading this rank's share of training batches.
  data::Reading reading_of_share() const;
};

/// Tells whether a run begins, or resumes from a checkpoint that holds its weights. A resumed run
/// loads no initial weights.
enum class Start { begins, resumes };

/// Reads the data and builds the model, the loss, the metrics and the optimizer of a resolved
/// recipe. A run that begins draws its initial weights from the seed, as PyTorch does at that seed,
/// or loads them. Leaves the model on the device, and the default generators seeded for dropout.
/// `ranks`: how many will train it.
/// Throws knead::Error for any of these that cannot be used, and syntax::Refusal for source of a
/// model or script that does not compile.
Job prepare(recipe::Recipe recipe, Start start = Start::begins,
            data::Augmentation augmentation = data::Augmentation::drawn, int ranks = 1);

}  // namespace knead::engine
