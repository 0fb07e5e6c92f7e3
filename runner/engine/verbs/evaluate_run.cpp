#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runner/checkpoint/inspect.h"
#include "runner/data/sets/training_set.h"
#include "runner/engine/job/divide.h"
#include "runner/engine/job/job.h"
#include "runner/engine/job/start_files.h"
#include "runner/engine/job/threads.h"
#include "runner/engine/step/evaluation.h"
#include "runner/engine/train/ranks.h"
#include "runner/engine/train/resume_check.h"
#include "runner/engine/train/run_facts.h"
#include "runner/engine/verbs/best_of_run.h"
#include "runner/engine/verbs/other_rank.h"
#include "runner/engine/verbs/verbs.h"
#include "runner/files/posix_files.h"
#include "runner/track/journal.h"
#include "schema/document/json_text.h"
#include "schema/document/shown_text.h"
#include "schema/document/standard_streams.h"

namespace knead::engine {
namespace {

using Named = std::pair<std::string, const data::Set*>;

/// Returns the named set, or the validation and test sets if no name is given. Throws knead::Error
/// if the recipe does not have it.
std::vector<Named> choose_sets(const data::Sets& sets, const std::string& name) {
  std::vector<Named> all;
  if (name == "train") all.emplace_back("train", &sets.train);
  if (sets.validation && (name.empty() || name == "validation"))
    all.emplace_back("validation", &*sets.validation);
  if (sets.test && (name.empty() || name == "test")) all.emplace_back("test", &*sets.test);
  if (!all.empty()) return all;
  throw Error(name.empty() ? "the recipe of the run has neither data.validation nor data.test"
                           : fmt::format("the recipe of the run has no data.{}", name),
              "write --set train, or name a set: data.test='{like: train, path: test.csv}'",
              Exit::invalid_recipe);
}

/// Returns a line for each value: the set, the metric and the number, in aligned columns.
std::string as_text(const std::vector<plan::Evaluation>& evaluations) {
  std::size_t width = 0;
  for (const auto& [name, value] : evaluations.front().values) width = std::max(width, name.size());
  std::string text;
  for (const plan::Evaluation& each : evaluations) {
    for (const auto& [name, value] : each.values)
      text += fmt::format("{:<10}  {:<{}}  {:.6g}\n", each.set, name, width, value);
  }
  return text;
}

std::string as_json(const std::vector<plan::Evaluation>& evaluations) {
  nlohmann::ordered_json sets;
  for (const plan::Evaluation& each : evaluations) {
    for (const auto& [name, value] : each.values)
      sets[each.set][name] = track::number_as_json(value);
  }
  const nlohmann::ordered_json all{{"step", evaluations.front().step}, {"sets", sets}};
  return schema::json_text(all, 2) + "\n";
}

/// Warns if the training set is another than that of the run, and a vocabulary or the size of
/// images may be taken from it.
void warn_of_other_data(recipe::DataSet train, const Facts& now,
                        const std::filesystem::path& folder) {
  if (data::all_of_kind<recipe::Text>(train).empty() &&
      data::all_of_kind<recipe::Images>(train).empty())
    return;
  files::PosixFiles disk;
  for (const checkpoint::Listed& each : checkpoint::list_checkpoints(disk, folder)) {
    if (!each.manifest || has_same_training_set(facts_in(*each.manifest), now)) continue;
    tell(
        "warning: data.train is not what the run was trained on; what is taken from it, such as "
        "a vocabulary, may be another\n");
    return;
  }
}

}  // namespace

Exit evaluate_run(const Call& call) {
  run::Stop stop;
  const Understood understood = recipe_of_run(call);
  Job job = prepare(understood.recipe, Start::resumes, data::Augmentation::left_out, call.ranks);
  job.group = join(call, job.recipe);
  choose_threads(job);
  expect_equal_recipes(understood.tree, *job.group);
  const Facts facts =
      facts_of(understood.tree, job.recipe, job.origin.model_digest, fingerprint(job.recipe));
  expect_equal_facts(facts, *job.group);
  if (job.group->is_first()) warn_of_other_data(job.recipe.data.train, facts, call.file);
  job.shards = divide_to_evaluate(*job.trained.model, job.recipe, *job.group);
  end_start(job.start_files, job.shards != nullptr);
  const std::uint64_t step = restore_best_of_run({*job.trained.model, job.shards.get(), *job.group},
                                                 call.file, job.recipe.evaluate);
  std::vector<plan::Evaluation> evaluations;
  for (const auto& [name, set] : choose_sets(job.sets, call.set)) {
    auto done = evaluation_of(job, name, *set).run(*job.trained.model, step, stop);
    if (!done) return Exit::stopped;
    evaluations.push_back(std::move(*done));
  }
  if (!job.group->is_first()) return Exit::done;
  // On standard error, so that standard output holds nothing but the results.
  tell(fmt::format("the weights of step {}\n", step));
  const std::string text =
      call.format == "json" ? as_json(evaluations) : schema::shown_lines(as_text(evaluations));
  print(text);
  return Exit::done;
}

}  // namespace knead::engine
