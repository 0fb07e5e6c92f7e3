#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace knead::plan {

/// What one set of samples gave at a step: one line of evaluations.jsonl.
struct Evaluation {
  std::uint64_t step = 0;  // steps done
  std::string set;         // validation, test; train for what is reported
  std::vector<std::pair<std::string, double>> values;  // loss first, then metrics by name
  double seconds = 0;                                  // that the evaluation took

  bool operator==(const Evaluation&) const = default;
};

/// All of a run, in the order they happened. What they decide (decide.h) is a function of them, so
/// that it needs no state of its own in a checkpoint.
using Evaluations = std::vector<Evaluation>;

}  // namespace knead::plan
