#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runner/engine/job/job.h"
#include "runner/engine/page/module_tree.h"
#include "runner/engine/rehearse/rehearse.h"

namespace knead::engine {

/// Lists the steps after which an action is due. Intervals of time are not considered.
struct DueSteps {
  std::vector<std::uint64_t> steps;  // counted from 1; at most the first 10,000
  bool all = true;                   // the list is complete
};

/// Holds what `knead plan` shows of a recipe, its data, its model and the first step.
struct PlanFacts {
  std::uint64_t train = 0;  // samples
  std::optional<std::uint64_t> validation, test;
  std::uint64_t batch = 0;         // samples per step
  std::uint64_t micro = 0;         // samples per micro-batch
  std::uint64_t accumulation = 0;  // micro-batches per step
  std::uint64_t last_batch = 0;    // samples in the last step of an epoch
  std::uint64_t steps_per_epoch = 0;
  std::optional<std::uint64_t> steps;    // of the run; std::nullopt if its length is a time
  std::uint64_t samples = 0;             // of the run; 0 if its length is a time
  DueSteps evaluations, reports, saves;  // empty if the run's length is a time
  std::vector<std::pair<std::uint64_t, double>> rates;  // (step from 1, learning rate)
  std::int64_t parameters = 0;                          // elements
  std::int64_t trained = 0;                             // elements that require gradients
  std::size_t tensors = 0;                              // number of parameter tensors
  std::vector<optimize::GroupSize> groups;              // of the optimizer
  std::string weights;  // the initial weights in words; empty if they are drawn
  ModuleNode model;
  Rehearsal rehearsal;
};

/// Rehearses the first step of an unused job and collects the facts of its plan. `memory` was
/// created before the job. Throws what rehearse() throws.
PlanFacts plan_facts(Job& job, TensorMemory& memory);

}  // namespace knead::engine
