#include "runner/engine/verbs/best_of_run.h"

#include <fmt/format.h>

#include "runner/engine/train/export.h"
#include "runner/files/posix_files.h"
#include "runner/track/tracker.h"
#include "schema/document/error.h"

namespace knead::engine {

BestOfRun best_of_run(const Call& call) {
  files::PosixFiles disk;
  const std::filesystem::path folder = call.file;
  const auto checkpoints = checkpoint::list_checkpoints(disk, folder);
  if (checkpoints.empty())
    throw Error(fmt::format("'{}' holds no checkpoint", folder.string()),
                "give the folder of a run, runs/<name>");
  Call recipe_of_run;
  recipe_of_run.file = (folder / "resolved.yaml").string();
  recipe_of_run.overrides = call.overrides;
  Understood understood = understand(recipe_of_run);
  const auto evaluations = track::read_evaluations(folder / track::kEvaluationsFile);
  auto [found, left_out] = checkpoint::load_first_whole(
      disk, folder, preferred_steps(understood.recipe, evaluations, checkpoints));
  for (const std::string& sentence : left_out) fmt::print(stderr, "warning: {}\n", sentence);
  return {std::move(understood), std::move(found)};
}

}  // namespace knead::engine
