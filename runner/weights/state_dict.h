#pragma once

#include <string>
#include <utility>
#include <vector>

#include "runner/weights/pickle.h"

namespace knead::weights {

inline constexpr const char* kOrderedDict = "collections OrderedDict";

/// A dict of a pickle in which tensors lie directly under names.
struct StateDict {
  std::string key;  // how one comes to it: "model", "ema.module"; empty for the root
  std::vector<std::pair<std::string, const PickledValue*>> tensors;
};

/// All of them, in the order of the file. The state of an optimizer is none, and neither are
/// counters: dicts that have only single numbers as tensors, beside other dicts.
std::vector<StateDict> find_state_dicts(const PickledValue& root);

}  // namespace knead::weights
