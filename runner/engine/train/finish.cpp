#include "runner/engine/train/finish.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/checkpoint/inspect.h"
#include "runner/engine/step/evaluation.h"
#include "runner/engine/train/export.h"
#include "runner/engine/train/snapshot.h"
#include "runner/files/folders.h"
#include "runner/plan/decide.h"

namespace knead::engine {
namespace {

/// Loads the weights of a step into the model, unless they were loaded last.
class Weights {
 public:
  Weights(model::Model& model, files::FileSystem& disk, const std::filesystem::path& run_folder)
      : model_(model), disk_(disk), run_folder_(run_folder) {}

  void load(std::uint64_t step) {
    if (loaded_ == step) return;
    restore_evaluated_weights(model_,
                              checkpoint::load_checkpoint(disk_, run_folder_, step).snapshot);
    loaded_ = step;
  }

 private:
  model::Model& model_;
  files::FileSystem& disk_;
  const std::filesystem::path& run_folder_;
  std::uint64_t loaded_ = 0;
};

/// Returns whether the journal has an evaluation of the test set at a step.
bool is_tested(const track::Tracker& tracker, std::uint64_t step) {
  const auto& done = tracker.evaluations();
  return std::any_of(done.begin(), done.end(), [&](const plan::Evaluation& each) {
    return each.set == "test" && each.step == step;
  });
}

/// Prints a sentence per expectation of the recipe and returns whether all are met.
Exit judge(const recipe::Recipe& recipe, const plan::Evaluations& evaluations,
           track::Console& console) {
  bool all_met = true;
  const auto judgements = plan::judge(recipe.expect, recipe.evaluate.metrics, evaluations);
  for (const plan::Judgement& judgement : judgements) {
    console.note(judgement.sentence);
    all_met = all_met && judgement.met;
  }
  return all_met ? Exit::done : Exit::expectation_failed;
}

}  // namespace

Exit finish(Job& job, track::Tracker& tracker, track::Console& console, files::FileSystem& disk,
            const std::filesystem::path& run_folder, const Stop& stop) {
  auto checkpoints = checkpoint::list_checkpoints(disk, run_folder);
  std::erase_if(checkpoints, [](const checkpoint::Listed& each) { return !each.manifest; });
  const std::uint64_t last =
      checkpoints.back().step;  // not empty: a finished run has saved its last step
  const std::uint64_t best =
      preferred_steps(job.recipe, tracker.evaluations(), checkpoints).front();
  model::Model& model = *job.trained.model;
  Weights weights(model, disk, run_folder);
  if (job.sets.test && !is_tested(tracker, best)) {
    weights.load(best);
    const auto evaluation = evaluation_of(job, "test", *job.sets.test).run(model, best, stop);
    if (!evaluation) return Exit::stopped;
    tracker.evaluated(*evaluation);
  }
  if (job.recipe.export_) {
    const auto& wanted = *job.recipe.export_;
    weights.load(wanted.weights == recipe::Export::Weights::best ? best : last);
    model.train(false);  // an exported model is used for inference
    files::make_folders(disk, run_folder / "export");
    for (const recipe::Export::To format : wanted.to) {
      const auto path = run_folder / "export" / export_name(format);
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
