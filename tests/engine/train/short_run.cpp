#include "tests/engine/train/short_run.h"

#include <fstream>

#include "runner/engine/job/job.h"
#include "runner/engine/train/ranks.h"
#include "runner/engine/train/snapshot.h"
#include "runner/engine/train/trainer.h"
#include "runner/files/posix_files.h"
#include "runner/plan/resolve.h"
#include "schema/load.h"

namespace knead::engine {
namespace {

namespace fs = std::filesystem;

std::string losses_in(const fs::path& metrics) {
  std::string losses;
  for (const track::Report& report : track::read_reports(metrics)) {
    losses += std::to_string(report.step) + " " + nlohmann::json(report.loss).dump() + " " +
              nlohmann::json(report.lr).dump() + "\n";
  }
  return losses;
}

std::string evaluated(const plan::Evaluations& evaluations) {
  std::string losses;
  for (const plan::Evaluation& each : evaluations)
    losses += std::to_string(each.step) + " " + nlohmann::json(each.values).dump() + "\n";
  return losses;
}

}  // namespace

recipe::Recipe short_recipe(const std::string& name, const std::vector<std::string>& overrides) {
  const std::string file = KNEAD_ROOT "/tests/end_to_end/recipes/" + name + ".yaml";
  recipe::Recipe recipe = schema::load(file, overrides, schema::this_world()).recipe;
  plan::resolve(recipe, {1, false, "/"});
  plan::resolve_threads(recipe, 0, 1);
  return recipe;
}

ShortRun train(const recipe::Recipe& recipe, std::uint64_t until, const checkpoint::Snapshot* from,
               const fs::path& folder, const std::shared_ptr<parallel::Group>& group) {
  fs::create_directories(folder);
  const auto memory = memory_of_profile(recipe);
  Job job = prepare(recipe);
  if (group) job.group = group;
  run::Progress progress;
  progress.loss_scale = plan::first_loss_scale(recipe.precision);
  track::Positions positions;
  const Owners owners = owners_of(job.trained, progress);
  if (from) {
    restore_snapshot(owners, *from, *job.group, 0);
    positions = positions_in(*from);
  }
  copy_weights_from_first(*job.trained.model, *job.group);
  files::PosixFiles disk;
  checkpoint::Store store(disk, folder);
  store.recover();
  track::Console console({false, [] { return 80; }, [](std::string_view) {}, [] { return 0.0; }},
                         {});
  track::Tracker tracker(folder, recipe.evaluate.monitor, positions, console);
  if (recipe.evaluate.generate) tracker.expect_texts();
  run::Saver saver(job.recipe, job.course.windows, store, tracker, console, progress.step);
  run::Stop stop;
  stop.limit_steps(until);
  Profile profile(job.recipe, memory.get(), disk, folder, console, *job.group);
  Saves saves(job, progress, tracker, &saver, disk, folder, nlohmann::json::object());
  Trainer trainer(job, progress, tracker, saves, profile, console, stop);
  trainer.run();
  return {take_snapshot(owners, tracker.positions(), {}, {}),
          losses_in(folder / track::kMetricsFile), evaluated(tracker.evaluations())};
}

ShortRun go_on(const recipe::Recipe& recipe, std::uint64_t until, const checkpoint::Snapshot& from,
               const fs::path& stopped, const fs::path& folder) {
  fs::create_directories(folder);
  for (const char* file : {track::kMetricsFile, track::kEvaluationsFile, track::kGeneratedFile})
    if (fs::exists(stopped / file)) fs::copy_file(stopped / file, folder / file);
  return train(recipe, until, &from, folder);
}

}  // namespace knead::engine
