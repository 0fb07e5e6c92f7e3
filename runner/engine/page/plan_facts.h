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

/// The steps after which something falls due, the clock aside.
struct DueSteps {
  std::vector<std::uint64_t> steps;  // counted from 1; the first 10,000
  bool all = true;                   // there are no more
};

/// All that follows from a recipe, its data, its model and one step of it.
struct PlanFacts {
  std::uint64_t train = 0;  // samples
  std::optional<std::uint64_t> validation, test;
  std::uint64_t batch = 0;  // samples of a step
  std::uint64_t micro = 0;  // of them at once
  std::uint64_t accumulation = 0;
  std::uint64_t last_batch = 0;  // of an epoch
  std::uint64_t steps_per_epoch = 0;
  std::optional<std::uint64_t> steps;  // of the run; nothing where its length is a time, which
                                       // leaves the lists below empty
  std::uint64_t samples = 0;           // that the run takes
  DueSteps evaluations, reports, saves;
  std::vector<std::pair<std::uint64_t, double>> rates;  // by step, from 1 to the last
  std::int64_t parameters = 0;
  std::int64_t trained = 0;
  std::size_t tensors = 0;
  ModuleNode model;
  Rehearsal rehearsal;
};

/// Rehearses the first step of a job that nothing has used before. `memory`: from before it was
/// made.
PlanFacts plan_facts(Job& job, TensorMemory& memory);

/// The learning rate of a step, counted from 1.
double rate_at(const Job& job, std::uint64_t step);

}  // namespace knead::engine
