#include <fmt/format.h>

#include "runner/data/sets/found_classes.h"
#include "runner/engine/device/start.h"
#include "runner/engine/job/build_model.h"
#include "runner/engine/job/divide.h"
#include "runner/engine/job/job.h"
#include "runner/engine/job/strategy.h"
#include "runner/engine/job/threads.h"
#include "runner/engine/page/measure.h"
#include "runner/engine/step/evaluation.h"
#include "runner/engine/step/undivided.h"
#include "runner/engine/train/finish.h"
#include "runner/engine/train/memory_report.h"
#include "runner/engine/train/ranks.h"
#include "runner/engine/train/restore.h"
#include "runner/engine/train/resume_check.h"
#include "runner/engine/train/snapshot.h"
#include "runner/engine/train/trainer.h"
#include "runner/engine/verbs/call.h"
#include "runner/engine/verbs/old_run.h"
#include "runner/engine/verbs/other_rank.h"
#include "runner/engine/verbs/verbs.h"
#include "runner/files/posix_files.h"
#include "runner/files/read.h"
#include "runner/plan/decide.h"
#include "runner/plan/due.h"
#include "runner/plan/end_rule.h"
#include "runner/run/baseline.h"
#include "runner/run/end_state.h"
#include "runner/run/failure.h"
#include "runner/run/names.h"
#include "runner/run/run_folder.h"
#include "runner/run/summary.h"
#include "runner/run/tracked_run.h"
#include "runner/track/log.h"
#include "runner/track/network/mlflow_sink.h"
#include "schema/document/json_text.h"
#include "schema/document/shown_text.h"
#include "schema/render.h"

namespace knead::engine {
namespace {

/// Returns the length of the run for the console.
track::Length length_of(const recipe::Recipe& recipe, const Course& course,
                        const run::Progress& progress) {
  track::Length length;
  length.steps = course.steps;
  if (course.steps) {
    length.epochs =
        static_cast<double>(*course.steps) / static_cast<double>(course.windows.steps_per_epoch());
  } else {
    length.seconds = recipe.train.until.value;
  }
  length.first_step = progress.step;
  length.first_second = progress.seconds;
  length.tokens_per_sample = course.windows.epoch().tokens;
  return length;
}

/// Writes the recipe as given and as resolved to the run's folder, and the tokenizer's description
/// if there is one.
void write_recipe(const Understood& understood, const data::Tokenizer* tokenizer,
                  run::RunFolder& folder) {
  // Not read again: the file may have been edited since.
  folder.write(run::kRecipeFile, understood.tree.place.source->text());
  folder.write(run::kResolvedFile,
               schema::render(data::with_found_classes(understood.tree, understood.recipe.data),
                              /*with_origins=*/true));
  if (!tokenizer) return;
  const nlohmann::json description = tokenizer->description();
  folder.write(run::kVocabularyFile, schema::json_text(description, 2) + "\n");
  if (const auto file = tokenizer->file())
    folder.write(description.at("file").get<std::string>(), files::read_text(*file));
}

/// Prints the description and the notes, and whether a run is resumed or finished already.
void say_how_it_begins(track::Console& console, const Job& job, const run::Progress& progress,
                       bool is_finished, const std::vector<std::string>& notes) {
  if (job.recipe.description) console.note(*job.recipe.description);
  for (const std::string& note : notes) console.warn(note);
  if (progress.step == 0) return;
  console.note(is_finished ? fmt::format("finished already, at step {}", progress.step)
                           : fmt::format("going on from step {}", progress.step));
}

/// Returns whether a run that begins at `progress` has nothing left to train.
bool is_over(const Job& job, const run::Progress& progress, const plan::Evaluations& evaluations) {
  const plan::EndRule rule(job.recipe, job.course.windows);
  return rule.is_whole(progress.step, progress.seconds) ||
         rule.why_early(progress.step, evaluations);
}

/// Adds the sinks of the recipe. Warns about a sink that cannot be opened and omits it, because the
/// journals have the numbers too.
void add_sinks(const Understood& understood, const std::filesystem::path& folder,
               std::uint64_t step, const track::Positions& positions, track::Console& console,
               track::Tracker& tracker) {
  const track::Warn warn = [&console](const std::string& text) { console.warn(text); };
  const track::About about = run::about_run(folder, step, understood.recipe, understood.tree);
  for (const recipe::Sink& kind : understood.recipe.track.to) {
    try {
      tracker.add(track::make_sink(kind, about, positions, warn));
    } catch (const Error& error) {
      console.warn(fmt::format("{}; the run goes on without it", error.what()));
    }
  }
}

/// Returns all that a user is told before the first step: about the checkpoints that were found,
/// about changes since the last one, about the model and its initial weights.
std::vector<std::string> notes_before(checkpoint::Recovery& recovery,
                                      const std::vector<std::string>& changes, const Job& job) {
  std::vector<std::string> notes = std::move(recovery.notes);
  const auto add = [&notes](const std::vector<std::string>& more) {
    notes.insert(notes.end(), more.begin(), more.end());
  };
  add(changes);
  if (recovery.found) add(note_other_ranks(ranks_of(recovery.found->snapshot), *job.group));
  add(job.trained.model->warnings());
  if (job.origin.weights) add(job.origin.weights->warnings);
  return notes;
}

/// Restores what the checkpoint holds, and frees it. Returns where the journals ended.
track::Positions resume_from(checkpoint::Recovery& recovery, const Job& job,
                             run::Progress& progress, const std::filesystem::path& folder) {
  restore_on_ranks(job, progress, folder, &recovery.found->snapshot);
  track::Positions positions = positions_in(recovery.found->snapshot);
  recovery.found.reset();
  return positions;
}

Exit stopped(track::Console& console, const run::Stop& stop, const run::Progress& progress) {
  const std::string reason =
      stop.is_asked_at(progress.step) ? stop.reason() : "a signal to another rank";
  console.note(progress.step == 0
                   ? fmt::format("stopped by {} before the first step", reason)
                   : fmt::format("stopped by {} after step {}, which is saved; the same command "
                                 "goes on from there",
                                 reason, progress.step));
  return Exit::stopped;
}

}  // namespace

Exit run(const Call& call) {
  if (call.rank != 0) return run_other_rank(call);
  run::Stop stop;
  run::Stop::set_nothing_to_save(true);  // until the first step is done
  Understood understood = understand(call);
  const recipe::Recipe& recipe = understood.recipe;
  // Read before the first step, so that a baseline that is missing costs no training.
  understood.recipe.expect = run::with_baselines(recipe.expect, recipe.evaluate.metrics);
  if (recipe.train.time_limit) stop.limit_time(recipe.train.time_limit->value);

  files::PosixFiles disk;
  run::RunFolder folder(disk, *recipe.output / recipe.name);
  checkpoint::Store store(disk, folder.path());
  const bool is_divided = divides(recipe, call.ranks);
  // With strategy auto only the model tells whether each rank needs all tensors.
  const bool is_open = recipe.distributed.strategy == recipe::Distributed::Strategy::auto_;
  checkpoint::Recovery recovery =
      recover(call, recipe, folder.path(), store,
              is_divided && !is_open ? checkpoint::Hold::state : checkpoint::Hold::tensors);

  const auto group = join(call, recipe);
  if (is_divided) expect_one_folder(disk, folder.path(), *group);
  agree_on_checkpoint(recovery.found ? std::optional(recovery.found->snapshot.step) : std::nullopt,
                      *group);
  const auto memory = memory_of_profile(recipe);
  Job job = prepare(recipe, recovery.found ? Start::resumes : Start::begins,
                    data::Augmentation::drawn, call.ranks);
  job.group = group;
  if (call.stop_after)
    stop.limit_steps(plan::steps_in("--stop-after", *call.stop_after, job.course.windows));
  expect_trainable(*job.trained.model, *group);
  choose_threads(job);
  // `recipe` is a reference to this one, and the fingerprint below needs the number.
  understood.recipe.threads = job.recipe.threads;
  Facts facts = facts_of(understood.tree, recipe, job.origin.model_digest, fingerprint(recipe));
  expect_equal_facts(facts, *group);
  const checkpoint::Manifest* last = recovery.found ? &recovery.found->manifest : nullptr;
  const auto changes =
      check_resume(recipe, folder.path(), last, job.origin.identity_of_weights(), facts);
  if (!recovery.found) with_memory_report(job.trained, [&] { try_interpreted(job); });
  const auto notes = notes_before(recovery, changes, job);

  run::Progress progress;
  progress.loss_scale = plan::first_loss_scale(recipe.precision);
  track::Positions positions;
  const std::string strategy =
      choose_strategy(job, [&] { return undivided_bytes(job, memory.get()); });
  begin_on_ranks(job, recovery.found ? Start::resumes : Start::begins);
  const std::string moved = recovery.found ? "" : keep_old_run(call, recipe, folder, store);
  if (recovery.found) positions = resume_from(recovery, job, progress, folder.path());
  const std::string taken = strategy.empty() ? "" : run::summary_line("strategy", strategy);
  const std::string summary = run::summary(recipe) + taken + measure(job);
  std::fputs(track::foldable(schema::shown_lines(summary)).c_str(), stderr);
  track::Log log(folder.path() / track::kLogFile);
  track::Terminal terminal = track::standard_error();
  terminal.log = [&log](std::string_view line) { log.write(line); };
  track::Console console(terminal, length_of(job.recipe, job.course, progress));
  track::Tracker tracker(folder.path(), job.course.objective, positions, console);
  if (recipe.evaluate.generate) tracker.expect_texts();
  track::remove_predictions_after(folder.path(), progress.step);
  agree_on_evaluations(tracker.evaluations(), *group);
  add_sinks(understood, folder.path(), progress.step, positions, console, tracker);
  write_recipe(understood, job.sets.tokenizer.get(), folder);
  if (!moved.empty()) console.note(moved);
  const bool is_finished = is_over(job, progress, tracker.evaluations());
  // The file says that the run has ended; a run that goes on must not keep it, or a crash would
  // look like an end.
  if (!is_finished) folder.remove(run::kEndFile);
  say_how_it_begins(console, job, progress, is_finished, notes);

  run::Saver saver(recipe, job.course.windows, store, tracker, console, progress.step);
  Profile profile(job.recipe, memory.get(), disk, folder.path(), console, *group);
  Saves saves(job, progress, tracker, &saver, disk, folder.path(), to_json(facts));
  Trainer trainer(job, progress, tracker, saves, profile, console, stop);
  if (progress.step == 0) with_memory_report(job.trained, [&] { try_evaluations(job); });
  run::Stop::set_nothing_to_save(progress.step == 0);
  Ending ending = Ending::finished;
  try {
    with_memory_report(job.trained, [&] { ending = trainer.run(); });
  } catch (const std::exception& failure) {
    run::keep_failure(folder, log, progress.step, failure);
    throw;
  }
  if (ending == Ending::stopped) {
    tracker.ended(track::RunEnd::stopped);
    return stopped(console, stop, progress);
  }
  console.finish();
  const auto& why_early = trainer.why_stopped_early();
  run::EndState end{progress.step, why_early};
  folder.write(run::kEndFile, run::to_text(end));
  if (why_early) console.note("stopped early: " + *why_early);
  Finished finished = finish(job, tracker, console, disk, folder.path(), stop);
  tracker.ended(finished.code == Exit::stopped ? track::RunEnd::stopped : track::RunEnd::finished);
  if (finished.code == Exit::stopped) return stopped(console, stop, progress);
  end.expectations = std::move(finished.expectations);
  folder.write(run::kEndFile, run::to_text(end));
  return finished.code;
}

}  // namespace knead::engine
