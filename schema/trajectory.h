#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "schema/document/error.h"
#include "schema/document/node.h"

namespace knead::schema {

/// The keys that determine the result of a run, as (dotted key, canonical YAML text) in the
/// schema's order: ("optimizer.lr", "0.001"). A JSON file stores this as a list of pairs. A list of
/// scalars and an empty block are one entry; other lists and blocks have an entry for each value
/// below them ("optimizer.groups.0.lr").
using Trajectory = std::vector<std::pair<std::string, std::string>>;

/// Returns the trajectory of a tree that load() has checked. It leaves out keys that a resumed run
/// may change (`x-resume: free`), `name`, `output` and all paths; a checkpoint identifies the files
/// behind paths by digest. Secrets appear as references.
///
/// A schedule that has the key `over` always gets schedule.over, which defaults to train.until.
/// train.until is added if an average has a share of the run, as in `start: 10%`, or if a schedule
/// without `over` has one, as in `warmup: 5%`. A longer run may therefore resume as long as its
/// learning rates so far are the same.
///
/// distributed.gather is added if it is bf16. The run then computes with rounded parameters, while
/// the rest of `distributed` may change on resume.
Trajectory trajectory(const Node& tree);

/// Returns one line "key: value" per key, each with a line end; the digest of a recipe is computed
/// over this text.
std::string to_text(const Trajectory& trajectory);

/// Holds one key whose value differs between two trajectories. At least one of the values is there.
struct KeyChange {
  std::string key;
  std::optional<std::string> before;  // std::nullopt: the key was absent
  std::optional<std::string> now;     // std::nullopt: the key is absent

  bool operator==(const KeyChange&) const = default;
};

/// Returns all differing keys: first those of `now` in its order, then the keys that only `before`
/// has.
std::vector<KeyChange> changes(const Trajectory& before, const Trajectory& now);

/// Builds the error (exit code 7) for resuming the run `name` in `run_folder` with a recipe that
/// differs in `changed`, which must not be empty. The message has one line for each change; the
/// remedy names `--fresh` and another name for the run. The caller throws it.
Error resume_refused(const std::string& run_folder, const std::string& name,
                     const std::vector<KeyChange>& changed);

}  // namespace knead::schema
