#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runner/engine/job/job.h"
#include "runner/engine/page/module_tree.h"
#include "runner/engine/rehearse/rehearse.h"
#include "runner/plan/rank_memory.h"

namespace knead::engine {

/// The number of steps that a DueSteps lists at most.
constexpr std::size_t kMostDue = 10000;

/// Lists the steps after which an action is due. Intervals of time are not considered.
struct DueSteps {
  /// Holds the first 10,000 due steps in ascending order, counted from 1. If all due steps fit, the
  /// last step of the run is included even if no interval ends there, because a run always reports,
  /// evaluates and saves at its end.
  std::vector<std::uint64_t> steps;
  /// Tells whether `steps` is complete; false if the run has more due steps.
  bool all = true;
};

/// Holds what `knead plan` shows of a run on several ranks.
struct RankFacts {
  std::uint64_t ranks = 0;
  /// Hold the samples of a whole batch that the first and the last rank take.
  std::uint64_t most = 0, least = 0;
  /// Holds the bytes of the buckets of a rank, in which gradients are summed.
  std::uint64_t buckets = 0;
  /// Holds the bytes that a rank sends for an update, if the ranks form a ring.
  std::uint64_t sent = 0;
  /// Holds the seconds that this takes at distributed.bandwidth; std::nullopt without it.
  std::optional<double> seconds{};
};

/// Holds what a rank needs under each strategy, and the one that the run takes.
struct StrategyFacts {
  /// Pairs a strategy with the bytes of a rank that it divides.
  std::vector<std::pair<plan::Strategy, plan::RankMemory>> memory{};
  plan::Strategy taken = plan::Strategy::data_parallel;
  /// Tells why the run takes it; empty if the recipe says it.
  std::string reason{};
  /// Holds the bytes that a rank may hold; std::nullopt on a GPU without distributed.memory.
  std::optional<double> budget{};
};

/// Holds what `knead plan` shows of a recipe, its data, its model and the first step. plan_facts()
/// fills it in; plan_page() and plan_json() only format it.
struct PlanFacts {
  /// Holds the number of training samples; never 0.
  std::uint64_t train = 0;
  /// Hold the numbers of samples of the other sets; std::nullopt if the recipe has no such set.
  std::optional<std::uint64_t> validation, test;
  /// Holds the samples of one optimizer step, `batch.size`.
  std::uint64_t batch = 0;
  /// Holds the samples of one forward call, `batch.micro`.
  std::uint64_t micro = 0;
  /// Holds the micro-batches that a rank makes of a whole batch, rounded up.
  std::uint64_t accumulation = 0;
  /// Describes the ranks that divide each batch; std::nullopt for a single one.
  std::optional<RankFacts> ranks;
  /// Compares the strategies; std::nullopt for a single rank.
  std::optional<StrategyFacts> strategies;
  /// Holds the samples of the last step of an epoch; equal to `batch` if none are left over or if
  /// the recipe drops the rest.
  std::uint64_t last_batch = 0;
  /// Holds the optimizer steps of one epoch; at least 1.
  std::uint64_t steps_per_epoch = 0;
  /// Holds the optimizer steps of the run; std::nullopt if its length is a time.
  std::optional<std::uint64_t> steps;
  /// Holds the samples that the run consumes, over all epochs; 0 if its length is a time.
  std::uint64_t samples = 0;
  /// List the steps after which the run evaluates, reports and saves. All are empty if the run's
  /// length is a time; `evaluations` is empty without a validation set.
  DueSteps evaluations, reports, saves;
  /// Holds up to 72 pairs of a step, counted from 1, and its learning rate; the first and the last
  /// step of the run are included. One pair if the run's length is a time. A plateau's reductions
  /// are not in it, because they depend on evaluations.
  std::vector<std::pair<std::uint64_t, double>> rates;
  /// Counts the elements of all parameters; tied weights count once.
  std::int64_t parameters = 0;
  /// Counts the elements of the parameters that require gradients.
  std::int64_t trained = 0;
  /// Counts the parameter tensors, frozen ones included.
  std::size_t tensors = 0;
  /// Lists the items of optimizer.groups, then the rest, as Optimizer::sizes() does.
  std::vector<optimize::GroupSize> groups;
  /// Describes the initial weights, "runs/digits, step 940 (its best): 6 tensors"; empty if the
  /// seed draws them or the run resumes.
  std::string weights;
  ModuleNode model;
  Rehearsal rehearsal;
};

/// Rehearses the first step of an unused job and collects the facts of its plan. The job cannot
/// train afterwards: its model and optimizer have made an update. `memory` was created before the
/// job, so that it counts the job's tensors; its peak is reset. Throws what rehearse() throws, and
/// knead::Error if an interval has a unit that the data lacks (tokens).
PlanFacts plan_facts(Job& job, TensorMemory& memory);

}  // namespace knead::engine
