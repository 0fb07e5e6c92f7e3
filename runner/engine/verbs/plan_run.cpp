#include <algorithm>
#include <exception>

#include <fmt/format.h>

#include "runner/checkpoint/inspect.h"
#include "runner/engine/page/plan_facts.h"
#include "runner/engine/page/plan_page.h"
#include "runner/engine/step/evaluation.h"
#include "runner/engine/train/resume_check.h"
#include "runner/engine/verbs/call.h"
#include "runner/engine/verbs/verbs.h"
#include "runner/files/posix_files.h"
#include "runner/run/summary.h"
#include "schema/document/json_text.h"
#include "schema/document/shown_text.h"
#include "schema/document/standard_streams.h"

namespace knead::engine {
namespace {

using Checkpoints = std::vector<checkpoint::Listed>;

/// Returns the checkpoints of the run whose manifests are whole.
Checkpoints checkpoints_of(const recipe::Recipe& recipe) {
  files::PosixFiles disk;
  Checkpoints found = checkpoint::list_checkpoints(disk, *recipe.output / recipe.name);
  std::erase_if(found, [](const checkpoint::Listed& each) { return !each.manifest; });
  return found;
}

bool starts_over(const recipe::Recipe& recipe) {
  return recipe.checkpoint.resume == recipe::Checkpoint::Resume::never;
}

/// How a run would begin with its present folder.
struct Beginning {
  std::string words;
  /// The error with which the run would refuse to begin; null if it would begin.
  std::exception_ptr refusal = nullptr;
};

Beginning beginning(const Understood& understood, const Job& job, const Checkpoints& found) {
  const recipe::Recipe& recipe = job.recipe;
  if (!found.empty() && starts_over(recipe))
    return {"anew: the run that is there is kept under another name"};
  Facts now = facts_of(understood.tree, recipe, job.origin.model_digest, fingerprint(recipe));
  try {
    check_resume(recipe, *recipe.output / recipe.name,
                 found.empty() ? nullptr : &*found.back().manifest,
                 job.origin.identity_of_weights(), now);
  } catch (const Error&) {
    return {"refused", std::current_exception()};
  }
  if (found.empty()) return {"a new run"};
  const std::uint64_t step = found.back().step;
  if (job.course.steps && step >= *job.course.steps)
    return {fmt::format("nothing: finished at step {}", step)};
  return {fmt::format("from step {}, which is saved", step)};
}

}  // namespace

Exit plan_run(const Call& call) {
  const Understood understood = understand(call);
  TensorMemory memory;
  const auto found = checkpoints_of(understood.recipe);
  const bool begins = found.empty() || starts_over(understood.recipe);
  Job job = prepare(understood.recipe, begins ? Start::begins : Start::resumes);
  try_interpreted(job);
  for (const std::string& warning : job.trained.model->warnings())
    tell(fmt::format("warning: {}\n", warning));
  if (job.origin.weights) {
    for (const std::string& warning : job.origin.weights->warnings)
      tell(fmt::format("warning: {}\n", warning));
  }
  const PlanFacts facts = plan_facts(job, memory);
  const Beginning begin = beginning(understood, job, found);
  if (facts.rehearsal.untouched) tell(fmt::format("warning: {}\n", *facts.rehearsal.untouched));
  const std::string text =
      call.format == "json"
          ? schema::json_text(plan_json(job.recipe.name, facts, begin.words), 2) + "\n"
          : schema::shown_lines(run::summary(job.recipe) +
                                plan_page(job.recipe, job.course, facts, begin.words));
  print(text);
  // The plan is printed before, because a changed recipe has one too.
  if (begin.refusal) std::rethrow_exception(begin.refusal);
  return Exit::done;
}

}  // namespace knead::engine
