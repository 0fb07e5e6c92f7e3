#include "runner/engine/train/finish.h"

#include <functional>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "runner/checkpoint/inspect.h"
#include "runner/engine/job/divide.h"
#include "runner/engine/job/start_files.h"
#include "runner/engine/step/evaluation.h"
#include "runner/engine/train/evaluated_weights.h"
#include "runner/engine/train/export.h"
#include "runner/engine/train/restore.h"
#include "runner/engine/train/sharded_snapshot.h"
#include "runner/files/folders.h"
#include "runner/plan/decide.h"
#include "runner/plan/expectations.h"
#include "runner/run/best_checkpoint.h"
#include "runner/run/names.h"

namespace knead::engine {
namespace {

EvaluatedModel evaluated_model(const Job& job) {
  return {*job.trained.model, job.shards.get(), *job.group};
}

/// Loads weights of a run's checkpoints into the model of a job.
class Weights {
 public:
  Weights(Job& job, files::FileSystem& disk, const std::filesystem::path& run_folder,
          track::Console& console)
      : job_(job), disk_(disk), run_folder_(run_folder), console_(console) {}

  /// Returns the step of the first whole checkpoint. Reads it to compare it with its manifest, and
  /// keeps nothing of it.
  std::uint64_t find(const run::Preference& preference) {
    return chosen(preference, [&](std::uint64_t step) {
      if (verified_.insert(step).second)
        checkpoint::load_checkpoint(disk_, run_folder_, step, checkpoint::Hold::state);
    });
  }

  /// Loads the first whole checkpoint, on all ranks of the job, unless it was loaded last, and
  /// returns its step. Warns about damaged ones that are preferred to it.
  std::uint64_t load(const run::Preference& preference) {
    const EvaluatedModel evaluated = evaluated_model(job_);
    checkpoint::Snapshot snapshot;
    const std::uint64_t found = chosen(preference, [&](std::uint64_t step) {
      if (loaded_ == step) return;
      snapshot = checkpoint::load_checkpoint(disk_, run_folder_, step, evaluated.needed()).snapshot;
      verified_.insert(step);
    });
    if (loaded_ != found) loaded_ = restore_evaluated_on_ranks(evaluated, run_folder_, &snapshot);
    return found;
  }

  /// Loads the first whole checkpoint, a tensor at a time, into the model of this rank alone.
  void load_alone(const run::Preference& preference) {
    const std::uint64_t step = chosen(preference, [&](std::uint64_t each) {
      if (loaded_ == each) return;
      const auto found =
          checkpoint::load_checkpoint(disk_, run_folder_, each, checkpoint::Hold::state);
      verified_.insert(each);
      read_step(run_folder_, each, [&](const checkpoint::TensorReader& reader) {
        restore_evaluated_pieces(*job_.trained.model, nullptr, reader, found.snapshot);
      });
    });
    loaded_ = step;
  }

  /// Gives the model to this rank alone. The other ranks end. What no rank has held whole lies in
  /// files from now on.
  void leave_ranks() {
    if (job_.shards) loaded_.reset();  // this rank has a part of the weights only
    job_.start_files = files_of_start(job_.recipe, job_.group->ranks());
    make_in(job_.start_files.get(), [this] { job_.shards.reset(); });
    job_.group = std::make_shared<parallel::Group>();
  }

 private:
  /// Returns the step of the first checkpoint that `take` reads without finding it damaged.
  std::uint64_t chosen(const run::Preference& preference,
                       const std::function<void(std::uint64_t step)>& take) {
    const run::Standing standing = run::take_first_whole(
        preference, run_folder_, [&](const checkpoint::Listed& each) { take(each.step); });
    for (const std::string& sentence : standing.left_out) {
      if (said_.insert(sentence).second) console_.warn(sentence);
    }
    return standing.checkpoint.step;
  }

  Job& job_;
  files::FileSystem& disk_;
  const std::filesystem::path& run_folder_;
  track::Console& console_;
  std::optional<std::uint64_t> loaded_;
  std::set<std::uint64_t> verified_;
  std::set<std::string> said_;
};

/// Frees what only training needs, before a set is evaluated. All ranks must call it.
void keep_to_evaluate(Job& job) {
  job.trained.optimizer.reset();
  job.trained.average.reset();
  job.shards.reset();  // whose parameters may be sent rounded
  job.shards = divide_to_evaluate(*job.trained.model, job.recipe, *job.group);
}

/// Prints a sentence for each expectation of the recipe. The code is Exit::expectation_failed
/// unless all are met.
Finished judge(const recipe::Recipe& recipe, const plan::Evaluations& evaluations,
               track::Console& console) {
  const auto measured = plan::measure(recipe.expect, recipe.evaluate.metrics, evaluations);
  Finished finished{Exit::done, plan::judge(recipe.expect, {measured})};
  for (const plan::Judgement& judgement : finished.expectations) {
    console.note(judgement.sentence);
    if (!judgement.met) finished.code = Exit::expectation_failed;
  }
  return finished;
}

/// Writes what the recipe exports. Only an archive needs the weights in the model.
void write_exports(const Job& job, Weights& weights, const run::Preference& preference,
                   files::FileSystem& disk, const std::filesystem::path& run_folder,
                   track::Console& console) {
  const std::filesystem::path folder = run_folder / run::kExportFolder;
  files::make_folders(disk, folder);
  for (const recipe::Export::To format : job.recipe.export_->to) {
    std::filesystem::path path = folder / export_name(format);
    if (format == recipe::Export::To::torchscript) {
      weights.load_alone(preference);
      job.trained.model->train(false);  // an exported model is used for inference
      write_archive(*job.trained.model, disk, path);
    } else {
      const WeightsFile file{format, most_in_a_part(job.recipe.export_), path};
      read_step(run_folder, weights.find(preference), [&](const checkpoint::TensorReader& reader) {
        path = write_weights(checkpoint::evaluated_tensors(reader), file, disk);
      });
    }
    console.note(fmt::format("exported {}", path.string()));
  }
}

}  // namespace

Exit finish_on_other_rank(Job& job, const std::filesystem::path& run_folder,
                          const run::Stop& stop) {
  keep_to_evaluate(job);
  if (!job.sets.test) return Exit::done;
  const std::uint64_t step = restore_evaluated_on_ranks(evaluated_model(job), run_folder, nullptr);
  const auto evaluation =
      evaluation_of(job, "test", *job.sets.test).run(*job.trained.model, step, stop);
  return evaluation ? Exit::done : Exit::stopped;
}

Finished finish(Job& job, track::Tracker& tracker, track::Console& console, files::FileSystem& disk,
                const std::filesystem::path& run_folder, const run::Stop& stop) {
  const auto checkpoints = checkpoint::list_checkpoints(disk, run_folder);
  const recipe::Evaluate& rule = job.recipe.evaluate;
  const plan::Objective monitor = plan::objective(rule.monitor, rule.metrics);
  const run::Preference best = run::by_preference(checkpoints, tracker.evaluations(), monitor);
  // Without evaluations the newest checkpoint comes first.
  const run::Preference last = run::by_preference(checkpoints, {}, monitor);
  model::Model& model = *job.trained.model;
  Weights weights(job, disk, run_folder, console);
  keep_to_evaluate(job);
  if (job.sets.test) {
    const std::uint64_t step = weights.load(best);
    const auto evaluation = evaluation_of(job, "test", *job.sets.test).run(model, step, stop);
    if (!evaluation) return {Exit::stopped};
    tracker.evaluated(*evaluation);
  }
  weights.leave_ranks();
  if (job.recipe.export_) {
    const bool is_best = job.recipe.export_->weights == recipe::Export::Weights::best;
    write_exports(job, weights, is_best ? best : last, disk, run_folder, console);
  }
  // Expectations may also name train/loss, which is in the reports.
  plan::Evaluations all = tracker.evaluations();
  const auto reports = track::as_evaluations(track::read_reports(run_folder / track::kMetricsFile));
  all.insert(all.end(), reports.begin(), reports.end());
  return judge(job.recipe, all, console);
}

}  // namespace knead::engine
