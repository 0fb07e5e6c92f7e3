#pragma once

#include <string>
#include <utility>
#include <vector>

#include "runner/weights/pickle.h"

namespace knead::weights {

/// Names the class of a state dict in a pickle.
inline constexpr const char* kOrderedDict = "collections OrderedDict";

/// Lists the tensors that a dict of a pickle holds directly under text keys.
struct StateDict {
  std::string key;  // path to the dict: "model", "ema.module"; empty for the root
  std::vector<std::pair<std::string, const PickledValue*>> tensors;
};

/// Finds all state dicts below `root` in the order of the file. Skips the state of an optimizer.
/// Skips dicts that hold only single numbers, such as counters, if another dict holds more.
std::vector<StateDict> find_state_dicts(const PickledValue& root);

}  // namespace knead::weights
