#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runner/plan/decide.h"
#include "runner/plan/expectations.h"

namespace knead::sweep {

/// Where a trial stands.
enum class TrialState {
  waiting,   // not begun
  running,   // in this process or, as its claim tells, in another
  finished,  // trained to its end
  pruned,    // ended at a rung, because others are better
  stopped,   // can go on from its checkpoint
  failed     // ended with an error
};

/// Returns the name of the enumerator.
std::string_view to_string(TrialState state);

/// Names a trial: one recipe with a value for each swept key, and a seed.
struct TrialName {
  /// 16 hexadecimal digits of the digest of the resolved recipe: the name of its run folder.
  std::string id{};
  /// Number of its point in the order of the search, from 0. A grown space numbers points anew.
  std::size_t point = 0;
  /// Number of the repeat among those of its point, which differ in `seed`, from 0.
  int repeat = 0;
  /// The swept keys with their values as YAML on one line: ("optimizer.lr", "0.001").
  std::vector<std::pair<std::string, std::string>> values{};
};

/// Tells how a trial went: all that sweep.jsonl and reports say of it.
struct Trial {
  TrialName name{};
  TrialState state = TrialState::waiting;
  /// The objective at each evaluation so far, by step; of a pruned trial up to its rung.
  std::vector<plan::Value> objective{};
  /// The best of `objective`; std::nullopt if there is none that is finite.
  std::optional<plan::Value> best{};
  /// Seconds of training over all its starts.
  double seconds = 0;
  /// Exit code of the last start; std::nullopt before its end. That of a finished trial says how
  /// its own values were judged, with the `expect` of that start: see code_of().
  std::optional<int> code{};
  /// Holds the values that `expect` judges in a finished trial; empty for another one.
  plan::Measurements measured{};
  /// The last lines that a failed trial said, safe to print.
  std::vector<std::string> last_lines{};
};

}  // namespace knead::sweep
