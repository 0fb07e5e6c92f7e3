#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace knead::plan {

/// The result of one evaluation of a set: one line of evaluations.jsonl.
struct Evaluation {
  std::uint64_t step = 0;  // completed steps
  std::string set;         // validation, test; train for reports of the training
  std::vector<std::pair<std::string, double>> values;  // loss first, then metrics by name
  double seconds = 0;                                  // duration of the evaluation

  bool operator==(const Evaluation&) const = default;
};

/// All evaluations of a run in order. Decisions (decide.h) are functions of them, and so need no
/// state in a checkpoint.
using Evaluations = std::vector<Evaluation>;

}  // namespace knead::plan
