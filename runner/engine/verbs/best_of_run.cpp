#include "runner/engine/verbs/best_of_run.h"

#include <fmt/format.h>

#include "runner/files/posix_files.h"
#include "runner/plan/decide.h"
#include "runner/run/best_checkpoint.h"
#include "runner/run/names.h"
#include "runner/track/tracker.h"
#include "schema/document/error.h"

namespace knead::engine {

BestOfRun best_of_run(const Call& call) {
  files::PosixFiles disk;
  const std::filesystem::path folder = call.file;
  const auto checkpoints = checkpoint::list_checkpoints(disk, folder);
  if (checkpoints.empty()) checkpoint::refuse_without_checkpoint(folder);
  Call recipe_of_run;
  // The resolved recipe is complete; files that the user's recipe extends may have changed or gone.
  recipe_of_run.file = (folder / run::kResolvedFile).string();
  recipe_of_run.overrides = call.overrides;
  Understood understood = understand(recipe_of_run);
  const auto evaluations = track::read_evaluations(folder / track::kEvaluationsFile);
  const recipe::Evaluate& rule = understood.recipe.evaluate;
  checkpoint::Found found;
  const run::Standing standing = run::take_first_whole(
      run::by_preference(checkpoints, evaluations, plan::objective(rule.monitor, rule.metrics)),
      folder, [&](const checkpoint::Listed& each) {
        found = checkpoint::load_checkpoint(disk, folder, each.step);
      });
  for (const std::string& sentence : standing.left_out)
    fmt::print(stderr, "warning: {}\n", sentence);
  return {std::move(understood), std::move(found)};
}

}  // namespace knead::engine
