#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "schema/error.h"
#include "schema/node.h"

namespace knead::schema {

/// The part of a recipe that decides how its run goes, as (dotted key, canonical text) in the
/// schema's order. Left out: keys that a resumed run may change (x-resume: free), `name`, `output`,
/// and paths, since what they name enters a checkpoint by its digest. Secrets are their references.
/// train.until is in it where the schedule depends on it.
using Trajectory = std::vector<std::pair<std::string, std::string>>;

/// `tree`: a recipe as load() understood it.
Trajectory trajectory(const Node& tree);

/// A key whose value is another now; nothing where it is not there.
struct KeyChange {
  std::string key;
  std::optional<std::string> before;
  std::optional<std::string> now;

  bool operator==(const KeyChange&) const = default;
};

/// In the order of `now`, then what only `before` has.
std::vector<KeyChange> changes(const Trajectory& before, const Trajectory& now);

/// The refusal (exit code 7) to resume the run `name` with a recipe that differs in `changed`,
/// which is not empty. `run_folder` is for the message.
Error resume_refused(const std::string& run_folder, const std::string& name,
                     const std::vector<KeyChange>& changed);

}  // namespace knead::schema
