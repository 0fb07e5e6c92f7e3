#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "schema/document/error.h"
#include "schema/document/node.h"

namespace knead::schema {

/// The part of a recipe that decides how its run goes, as (dotted key, canonical text) in the
/// schema's order: ("optimizer.lr", "0.001"). As JSON it is a list of pairs.
using Trajectory = std::vector<std::pair<std::string, std::string>>;

/// Of a recipe as load() understood it. Left out: keys that a resumed run may change (x-resume:
/// free), `name`, `output`, and paths, because what they name enters a checkpoint by its digest.
/// Secrets are their references. schedule.over is always there for a schedule that has it (it is
/// train.until where it is not written), and train.until where a warm-up is a share of it: so a
/// longer run may resume wherever its learning rates so far are the same.
Trajectory trajectory(const Node& tree);

/// A line for each key: what the digest of a recipe is made of.
std::string to_text(const Trajectory& trajectory);

/// A key whose value is another now; nothing where it has none.
struct KeyChange {
  std::string key;
  std::optional<std::string> before;
  std::optional<std::string> now;

  bool operator==(const KeyChange&) const = default;
};

/// In the order of `now`, then what only `before` has.
std::vector<KeyChange> changes(const Trajectory& before, const Trajectory& now);

/// The refusal, with exit code 7, to resume in `run_folder` the run `name` with a recipe that
/// differs in `changed`, of which there is at least one.
Error resume_refused(const std::string& run_folder, const std::string& name,
                     const std::vector<KeyChange>& changed);

}  // namespace knead::schema
