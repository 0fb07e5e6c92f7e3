#include "runner/engine/train/finish.h"

#include <set>

#include <fmt/format.h>

#include "runner/checkpoint/inspect.h"
#include "runner/engine/step/evaluation.h"
#include "runner/engine/train/export.h"
#include "runner/engine/train/snapshot.h"
#include "runner/files/folders.h"
#include "runner/plan/decide.h"
#include "runner/plan/expectations.h"
#include "runner/run/best_checkpoint.h"
#include "runner/run/names.h"

namespace knead::engine {
namespace {

/// Loads weights of a run's checkpoints into the model.
class Weights {
 public:
  Weights(model::Model& model, files::FileSystem& disk, const std::filesystem::path& run_folder,
          track::Console& console)
      : model_(model), disk_(disk), run_folder_(run_folder), console_(console) {}

  /// Loads the first whole checkpoint, unless it was loaded last, and returns its step. Warns about
  /// damaged ones that are preferred to it.
  std::uint64_t load(const run::Preference& preference) {
    const auto take = [&](const checkpoint::Listed& each) {
      if (loaded_ == each.step) return;
      restore_evaluated_weights(
          model_, checkpoint::load_checkpoint(disk_, run_folder_, each.step).snapshot);
    };
    const run::Standing standing = run::take_first_whole(preference, run_folder_, take);
    loaded_ = standing.checkpoint.step;
    for (const std::string& sentence : standing.left_out) {
      if (said_.insert(sentence).second) console_.warn(sentence);
    }
    return loaded_;
  }

 private:
  model::Model& model_;
  files::FileSystem& disk_;
  const std::filesystem::path& run_folder_;
  track::Console& console_;
  std::uint64_t loaded_ = 0;
  std::set<std::string> said_;
};

/// Prints a sentence for each expectation of the recipe. Returns Exit::expectation_failed unless
/// all are met.
Exit judge(const recipe::Recipe& recipe, const plan::Evaluations& evaluations,
           track::Console& console) {
  bool all_met = true;
  const auto measured = plan::measure(recipe.expect, recipe.evaluate.metrics, evaluations);
  for (const plan::Judgement& judgement : plan::judge(recipe.expect, {measured})) {
    console.note(judgement.sentence);
    all_met = all_met && judgement.met;
  }
  return all_met ? Exit::done : Exit::expectation_failed;
}

}  // namespace

Exit finish(Job& job, track::Tracker& tracker, track::Console& console, files::FileSystem& disk,
            const std::filesystem::path& run_folder, const run::Stop& stop) {
  const auto checkpoints = checkpoint::list_checkpoints(disk, run_folder);
  const recipe::Evaluate& rule = job.recipe.evaluate;
  const plan::Objective monitor = plan::objective(rule.monitor, rule.metrics);
  const run::Preference best = run::by_preference(checkpoints, tracker.evaluations(), monitor);
  // Without evaluations the newest checkpoint comes first.
  const run::Preference last = run::by_preference(checkpoints, {}, monitor);
  model::Model& model = *job.trained.model;
  Weights weights(model, disk, run_folder, console);
  if (job.sets.test) {
    const std::uint64_t step = weights.load(best);
    const auto evaluation = evaluation_of(job, "test", *job.sets.test).run(model, step, stop);
    if (!evaluation) return Exit::stopped;
    tracker.evaluated(*evaluation);
  }
  if (job.recipe.export_) {
    const auto& wanted = *job.recipe.export_;
    weights.load(wanted.weights == recipe::Export::Weights::best ? best : last);
    model.train(false);  // an exported model is used for inference
    const std::filesystem::path folder = run_folder / run::kExportFolder;
    files::make_folders(disk, folder);
    for (const recipe::Export::To format : wanted.to) {
      const auto path = folder / export_name(format);
      write_model(model, format, disk, path);
      console.note(fmt::format("exported {}", path.string()));
    }
  }
  // Expectations may also name train/loss, which is in the reports.
  plan::Evaluations all = tracker.evaluations();
  const auto reports = track::as_evaluations(track::read_reports(run_folder / track::kMetricsFile));
  all.insert(all.end(), reports.begin(), reports.end());
  return judge(job.recipe, all, console);
}

}  // namespace knead::engine
