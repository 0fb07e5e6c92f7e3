#include "runner/run/saver.h"

#include <new>

#include <fmt/format.h>

#include "runner/plan/due.h"
#include "schema/document/error.h"

namespace knead::run {
Saver::Saver(const recipe::Recipe& recipe, const plan::Windows& windows, checkpoint::Store& store,
             const track::Tracker& tracker, track::Console& console, std::uint64_t resumed_from)
    : best_(static_cast<std::size_t>(recipe.checkpoint.keep.best.value())),
      objective_(plan::objective(recipe.evaluate.monitor, recipe.evaluate.metrics)),
      tracker_(tracker),
      console_(console),
      writer_(store, recipe.checkpoint.async),
      safe_step_(resumed_from) {
  rules_.last = static_cast<std::size_t>(recipe.checkpoint.keep.last);
  if (!recipe.checkpoint.keep.every) return;
  const plan::Cadence cadence("checkpoint.keep.every", {*recipe.checkpoint.keep.every}, windows);
  rules_.stretch = [cadence](std::uint64_t step) { return cadence.passed(step); };
}

checkpoint::Kept Saver::kept() const {
  checkpoint::Kept kept = rules_;
  const auto best = plan::best_steps(tracker_.evaluations(), objective_, best_);
  kept.best = {best.begin(), best.end()};
  return kept;
}

void Saver::offer(const MakeSnapshot& make) {
  // Without memory for a copy, the next due save tries again.
  if (auto snapshot = made(make)) writer_.offer(std::move(*snapshot), kept());
}

void Saver::save_next(std::uint64_t step, const MakeSnapshot& make) {
  // An earlier save may be of this step; look() then notes that it is safe.
  writer_.wait();
  look();
  if (safe_step_ == step) return;
  if (auto snapshot = made(make)) writer_.save_next(std::move(*snapshot), kept());
}

void Saver::save_now(std::uint64_t step, const MakeSnapshot& make) {
  look();
  if (safe_step_ == step) return;
  auto snapshot = made(make);
  const bool is_saved = snapshot && writer_.save_now(std::move(*snapshot), kept());
  look();
  if (is_saved) return;
  throw Error(last_->message, last_->remedy, Exit::training_failed);
}

void Saver::wait() {
  writer_.wait();
  look();
}

std::optional<std::filesystem::path> Saver::begin_shared(std::uint64_t step, std::uint64_t size) {
  auto folder = writer_.begin_shared(step, size);
  if (!folder) look();
  return folder;
}

void Saver::note_failure(checkpoint::NotSaved failure) {
  writer_.note_failure(std::move(failure));
  look();
}

void Saver::seal(checkpoint::SharedSave save) { writer_.seal(std::move(save), kept()); }

void Saver::expect_saved() {
  wait();
  if (!writer_.is_last_saved()) throw Error(last_->message, last_->remedy, Exit::training_failed);
}

std::optional<checkpoint::Snapshot> Saver::made(const MakeSnapshot& make) {
  try {
    return make();
  } catch (const std::bad_alloc&) {
    last_ = checkpoint::NotSaved{
        0, "this step is not saved: there is no memory for a copy of the weights and the state",
        "free some memory, or make batch.micro smaller, and run it again"};
    console_.warn(last_->message);
    return std::nullopt;
  }
}

void Saver::show(const checkpoint::Saved& saved) {
  if (safe_step_ != saved.manifest.step) {  // else the step was on disk already
    safe_step_ = saved.manifest.step;
    console_.note(fmt::format("saved step {}", safe_step_));
  }
  for (const std::string& warning : saved.rotation.warnings) console_.warn(warning);
}

void Saver::look() {
  for (const checkpoint::Outcome& outcome : writer_.take()) {
    if (const auto* saved = std::get_if<checkpoint::Saved>(&outcome)) {
      show(*saved);
    } else {
      last_ = std::get<checkpoint::NotSaved>(outcome);
      console_.warn(last_->message);
    }
  }
  writer_.check();
}

}  // namespace knead::run
