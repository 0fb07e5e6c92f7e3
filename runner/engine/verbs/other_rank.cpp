#include "runner/engine/verbs/other_rank.h"

#include <cstdlib>

#include <fmt/format.h>

#include "runner/engine/cuda/nccl_library.h"
#include "runner/engine/job/build_model.h"
#include "runner/engine/job/divide.h"
#include "runner/engine/job/strategy.h"
#include "runner/engine/job/threads.h"
#include "runner/engine/step/evaluation.h"
#include "runner/engine/step/undivided.h"
#include "runner/engine/train/finish.h"
#include "runner/engine/train/memory_report.h"
#include "runner/engine/train/ranks.h"
#include "runner/engine/train/restore.h"
#include "runner/engine/train/resume_check.h"
#include "runner/engine/train/snapshot.h"
#include "runner/engine/train/trainer.h"
#include "runner/files/posix_files.h"
#include "runner/plan/due.h"
#include "runner/plan/loss_scale.h"
#include "runner/track/log.h"

namespace knead::engine {
namespace {

/// Returns a terminal that shows nothing: rank 0 speaks to the user. Lines go to the rank's log.
track::Terminal log_only(track::Log& log) {
  track::Terminal terminal = track::standard_error();
  terminal.is_live = false;
  terminal.write = [](std::string_view) {};
  terminal.log = [&log](std::string_view line) { log.write(line); };
  return terminal;
}

}  // namespace

std::shared_ptr<parallel::Group> join(const Call& call, const recipe::Recipe& recipe) {
  const bool by_nccl = call.ranks > 1 && recipe.device == recipe::Recipe::Device::cuda &&
                       recipe.distributed.backend != recipe::Distributed::Backend::gloo;
  const char* const token = std::getenv("KNEAD_TOKEN");
  return std::make_shared<parallel::Group>(
      parallel::Membership{.rank = call.rank,
                           .ranks = call.ranks,
                           .local_rank = call.local_rank,
                           .local_ranks = call.local_ranks,
                           .rendezvous = call.rendezvous,
                           .start = call.start,
                           .token = token ? token : "",
                           .timeout = recipe.distributed.timeout.value,
                           .nccl = by_nccl ? &cuda::load_nccl() : nullptr});
}

Exit run_other_rank(const Call& call) {
  run::Stop stop;
  run::Stop::set_nothing_to_save(true);  // until the first step is done
  Understood understood = understand(call);
  const recipe::Recipe& recipe = understood.recipe;

  files::PosixFiles disk;
  const std::filesystem::path folder = *recipe.output / recipe.name;
  const auto group = join(call, recipe);
  if (divides(recipe, call.ranks)) expect_one_folder(disk, folder, *group);
  const auto checkpoint = agree_on_checkpoint(std::nullopt, *group);
  Job job = prepare(recipe, checkpoint ? Start::resumes : Start::begins, data::Augmentation::drawn,
                    call.ranks);
  job.group = group;
  if (call.stop_after)
    stop.limit_steps(plan::steps_in("--stop-after", *call.stop_after, job.course.windows));
  expect_trainable(*job.trained.model, *group);
  seed_for_dropout(static_cast<std::uint64_t>(recipe.seed), *group);
  choose_threads(job);
  understood.recipe.threads = job.recipe.threads;
  const Facts facts =
      facts_of(understood.tree, recipe, job.origin.model_digest, fingerprint(recipe));
  expect_equal_facts(facts, *group);

  run::Progress progress;
  progress.loss_scale = plan::first_loss_scale(recipe.precision);
  choose_strategy(job, [&] { return undivided_bytes(job, nullptr); });
  begin_on_ranks(job, checkpoint ? Start::resumes : Start::begins);
  if (checkpoint) restore_on_ranks(job, progress, folder, nullptr);
  // Another machine may not have the folder of rank 0.
  std::error_code unwritable;
  std::filesystem::create_directories(folder, unwritable);
  track::Log log(folder / fmt::format("log.rank-{}.txt", call.rank));
  track::Console console(log_only(log), {.steps = job.course.steps, .first_step = progress.step});
  track::Tracker tracker(job.course.objective, agree_on_evaluations({}, *group), console);
  Profile profile(job.recipe, nullptr, disk, folder, console, *group);
  Saves saves(job, progress, tracker, nullptr, disk, folder, nullptr);
  Trainer trainer(job, progress, tracker, saves, profile, console, stop);
  // Rank 0 tries the evaluations, and needs what the others hold for that.
  if (progress.step == 0 && job.shards && !job.shards->parameters_are_whole()) try_evaluations(job);
  run::Stop::set_nothing_to_save(progress.step == 0);
  Ending ending = Ending::finished;
  with_memory_report(job.trained, [&] { ending = trainer.run(); });
  if (ending == Ending::stopped) return Exit::stopped;
  return finish_on_other_rank(job, folder, stop);
}

}  // namespace knead::engine
