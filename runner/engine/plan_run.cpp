#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "runner/checkpoint/inspect.h"
#include "runner/engine/call.h"
#include "runner/engine/plan_facts.h"
#include "runner/engine/plan_page.h"
#include "runner/engine/resume_check.h"
#include "runner/engine/summary.h"
#include "runner/engine/verbs.h"
#include "runner/files/posix_files.h"

namespace knead::engine {
namespace {

/// What a run would begin with, as its folder is now. Throws where it would refuse to.
std::string beginning(const Understood& understood, const Job& job) {
  const recipe::Recipe& recipe = job.recipe;
  const std::filesystem::path folder = *recipe.output / recipe.name;
  files::PosixFiles disk;
  auto found = checkpoint::list_checkpoints(disk, folder);
  std::erase_if(found, [](const checkpoint::Listed& each) { return !each.manifest; });
  if (!found.empty() && recipe.checkpoint.resume == recipe::Checkpoint::Resume::never)
    return "anew: the run that is there is kept under another name";
  Facts now = facts_of(understood.tree, recipe, job.model_digest, fingerprint(recipe));
  check_resume(recipe, folder, found.empty() ? nullptr : &*found.back().manifest, now);
  if (found.empty()) return "a new run";
  const std::uint64_t step = found.back().step;
  if (job.steps && step >= *job.steps) return fmt::format("nothing: finished at step {}", step);
  return fmt::format("from step {}, which is saved", step);
}

}  // namespace

Exit plan_run(const Call& call) {
  const Understood understood = understand(call);
  Job job = prepare(understood.recipe);
  const std::string state = beginning(understood, job);
  for (const std::string& warning : job.model->warnings())
    fmt::print(stderr, "warning: {}\n", warning);
  const PlanFacts facts = plan_facts(job);
  const std::string text = call.format == "json"
                               ? plan_json(job, facts, state).dump(2) + "\n"
                               : summary(job.recipe) + plan_page(job, facts, state);
  std::fputs(text.c_str(), stdout);
  return Exit::done;
}

}  // namespace knead::engine
