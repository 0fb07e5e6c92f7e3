#include "runner/engine/train/saves.h"

#include "runner/engine/device/generators.h"
#include "runner/engine/train/equal_state.h"
#include "runner/trace/watch.h"

namespace knead::engine {

Saves::Saves(Job& job, run::Progress& progress, const track::Tracker& tracker, run::Saver* saver,
             files::FileSystem& disk, const std::filesystem::path& run_folder, nlohmann::json facts)
    : trained_(job.trained),
      group_(*job.group),
      progress_(progress),
      tracker_(tracker),
      saver_(saver),
      facts_(std::move(facts)) {
  if (job.shards) shared_.emplace(job, progress, tracker, saver, disk, run_folder, facts_);
}

bool Saves::offer() {
  const trace::Span part("checkpoint");
  if (shared_) return shared_->offer();
  if (!group_.of_first(saver_ && saver_->is_free())) return false;
  const auto generators = gather_generators();
  if (saver_) saver_->offer([&] { return snapshot(generators); });
  return true;
}

void Saves::save_best() {
  const trace::Span part("checkpoint");
  if (shared_) return shared_->save_next();
  const auto generators = gather_generators();
  if (saver_) saver_->save_next(progress_.step, [&] { return snapshot(generators); });
}

void Saves::save_now() {
  const trace::Span part("checkpoint");
  if (shared_) return shared_->save_now();
  const auto generators = gather_generators();
  if (saver_) saver_->save_now(progress_.step, [&] { return snapshot(generators); });
}

void Saves::look() {
  if (saver_) saver_->look();
}

void Saves::heed(bool are_parts_written) {
  if (shared_ && are_parts_written) shared_->publish();
}

/// Compares the state of all ranks before a save, and returns the states of their generators by
/// rank; empty for a single rank.
std::vector<std::string> Saves::gather_generators() {
  if (group_.is_alone()) return {};
  expect_equal_state(owners_of(trained_, progress_), group_, nullptr);
  return group_.gather(GeneratorState().text());
}

/// Copies the state of the run for a checkpoint.
checkpoint::Snapshot Saves::snapshot(const std::vector<std::string>& generators) const {
  return take_snapshot(owners_of(trained_, progress_), tracker_.positions(), generators, facts_);
}

}  // namespace knead::engine
