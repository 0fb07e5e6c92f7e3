#include "runner/engine/verbs/best_of_run.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/files/posix_files.h"
#include "runner/plan/decide.h"
#include "runner/run/best_checkpoint.h"
#include "runner/run/kept_recipe.h"
#include "runner/run/names.h"
#include "runner/track/tracker.h"
#include "schema/document/error.h"
#include "schema/document/regular_file.h"
#include "schema/document/standard_streams.h"

namespace knead::engine {

Understood recipe_of_run(const Call& call) {
  files::PosixFiles disk;
  const std::filesystem::path folder = call.file;
  if (checkpoint::list_checkpoints(disk, folder).empty())
    checkpoint::refuse_without_checkpoint(folder);
  Call of_recipe = call;
  // The resolved recipe is complete; files that the user's recipe extends may have changed or gone.
  of_recipe.file = (folder / run::kResolvedFile).string();
  of_recipe.overrides = run::without_secrets(call.overrides);
  return understand(of_recipe);
}

namespace {

/// Loads the best checkpoint of those that were listed, or else the newest one that is whole.
checkpoint::Found best_of(const std::vector<checkpoint::Listed>& checkpoints,
                          const std::filesystem::path& folder, const recipe::Evaluate& rule,
                          checkpoint::Hold hold) {
  files::PosixFiles disk;
  const auto evaluations = track::read_evaluations(folder / track::kEvaluationsFile);
  checkpoint::Found found;
  const run::Standing standing = run::take_first_whole(
      run::by_preference(checkpoints, evaluations, plan::objective(rule.monitor, rule.metrics)),
      folder, [&](const checkpoint::Listed& each) {
        found = checkpoint::load_checkpoint(disk, folder, each.step, hold);
      });
  for (const std::string& sentence : standing.left_out)
    tell(fmt::format("warning: {}\n", sentence));
  return found;
}

bool are_all_there(const std::vector<checkpoint::Listed>& checkpoints) {
  return std::all_of(checkpoints.begin(), checkpoints.end(),
                     [](const auto& each) { return schema::is_there(each.folder); });
}

}  // namespace

checkpoint::Found best_of_run(const std::filesystem::path& folder, const recipe::Evaluate& rule,
                              checkpoint::Hold hold) {
  files::PosixFiles disk;
  constexpr int kTries = 5;
  for (int tries = 1;; ++tries) {
    const auto checkpoints = checkpoint::list_checkpoints(disk, folder);
    try {
      return best_of(checkpoints, folder, rule, hold);
    } catch (const Error&) {
      // A run that goes on may have replaced those that were listed.
      if (tries == kTries || are_all_there(checkpoints)) throw;
    }
  }
}

std::uint64_t restore_best_of_run(const EvaluatedModel& evaluated,
                                  const std::filesystem::path& folder,
                                  const recipe::Evaluate& rule) {
  if (!evaluated.group.is_first()) return restore_evaluated_on_ranks(evaluated, folder, nullptr);
  const checkpoint::Found found = best_of_run(folder, rule, evaluated.needed());
  return restore_evaluated_on_ranks(evaluated, folder, &found.snapshot);
}

}  // namespace knead::engine
