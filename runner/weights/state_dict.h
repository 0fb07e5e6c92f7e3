#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runner/files/budget.h"
#include "runner/weights/pickle.h"

namespace knead::weights {

/// Names the class of a state dict in a pickle.
inline constexpr const char* kOrderedDict = "collections OrderedDict";

/// Lists the tensors that a dict of a pickle holds directly under text keys, in the order of the
/// file. Borrows the pickle's values.
struct StateDict {
  std::string key;  // path to the dict: "model", "ema.module"; empty for the root
  std::vector<std::pair<std::string_view, const PickledValue*>> tensors;
};

/// Finds all state dicts below `root` in the order of the file, in dicts within dicts up to four
/// levels deep. Skips the state of an optimizer, a dict with the key "param_groups". Skips dicts
/// that hold only single numbers, such as counters, if another dict holds more. Visits 1000 dicts
/// at most. Takes the work and the memory of the result from `budget`. The result refers to values
/// of the pickle, which must outlive it.
std::vector<StateDict> find_state_dicts(const PickledValue& root, files::Budget& budget);

}  // namespace knead::weights
