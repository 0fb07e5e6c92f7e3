#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace knead::plan {

/// The result of one evaluation of a set: one line of evaluations.jsonl. A value may be NaN or
/// infinite. The set and a name together make the SET/METRIC of a recipe: "validation" and "loss"
/// are validation/loss.
struct Evaluation {
  std::uint64_t step = 0;  // completed steps
  std::string set;         // validation, test; train for reports of the training
  std::vector<std::pair<std::string, double>> values;  // loss first, then metrics by name
  double seconds = 0;                                  // duration of the evaluation

  bool operator==(const Evaluation&) const = default;
};

/// All evaluations of a run in order of time. Decisions (decide.h) are functions of them, and so
/// need no state in a checkpoint: a resume cuts the list back to its step and decides as before.
using Evaluations = std::vector<Evaluation>;

}  // namespace knead::plan
