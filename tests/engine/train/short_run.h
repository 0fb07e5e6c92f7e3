#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "recipe.h"
#include "runner/checkpoint/snapshot.h"
#include "runner/engine/parallel/group.h"

namespace knead::engine {

/// A recipe of tests/end_to_end/recipes/, with overrides, on one thread.
recipe::Recipe short_recipe(const std::string& name, const std::vector<std::string>& overrides);

/// What a run in this process has come to.
struct ShortRun {
  checkpoint::Snapshot state;
  std::string losses;       // every "loss" of metrics.jsonl
  std::string evaluations;  // every loss of evaluations.jsonl
};

/// Trains from a state, or from the start, until `until` steps are done or the run ends. The
/// journals of what was before are in the folder. Ranks of a group train together, each with a
/// folder of its own; without a group this process is alone.
ShortRun train(const recipe::Recipe& recipe, std::uint64_t until, const checkpoint::Snapshot* from,
               const std::filesystem::path& folder,
               const std::shared_ptr<parallel::Group>& group = nullptr);

/// The same after a stop: from the state of another run, whose journals are copied to a new folder.
ShortRun go_on(const recipe::Recipe& recipe, std::uint64_t until, const checkpoint::Snapshot& from,
               const std::filesystem::path& stopped, const std::filesystem::path& folder);

}  // namespace knead::engine
