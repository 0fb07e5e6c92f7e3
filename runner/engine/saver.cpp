#include "runner/engine/saver.h"

#include <cmath>

#include <fmt/format.h>

#include "runner/plan/decide.h"
#include "schema/error.h"
#include "schema/lengths.h"

namespace knead::engine {
namespace {

/// The steps of a run in stretches of checkpoint.keep.every. Nothing without it.
std::function<std::uint64_t(std::uint64_t)> stretches(const recipe::Keep& keep,
                                                      const plan::Windows& windows) {
  if (!keep.every) return {};
  const auto length = schema::in_steps(*keep.every, windows.epoch());
  if (!length)
    throw Error(fmt::format("checkpoint.keep.every {} cannot be told in steps",
                            schema::to_string(*keep.every)),
                "write it in steps, epochs or samples", Exit::invalid_recipe);
  return [length = *length](std::uint64_t step) {
    return static_cast<std::uint64_t>(std::floor(static_cast<double>(step) / length));
  };
}

}  // namespace

Saver::Saver(const recipe::Recipe& recipe, const plan::Windows& windows, checkpoint::Store& store,
             const track::Tracker& tracker, track::Console& console, std::uint64_t resumed_from)
    : best_(static_cast<std::size_t>(recipe.checkpoint.keep.best.value())),
      monitor_(recipe.evaluate.monitor),
      tracker_(tracker),
      console_(console),
      writer_(store, recipe.checkpoint.async),
      safe_step_(resumed_from) {
  rules_.last = static_cast<std::size_t>(recipe.checkpoint.keep.last);
  rules_.stretch = stretches(recipe.checkpoint.keep, windows);
}

checkpoint::Kept Saver::kept() const {
  checkpoint::Kept kept = rules_;
  const auto best = plan::best_steps(tracker_.evaluations(), monitor_, best_);
  kept.best = {best.begin(), best.end()};
  return kept;
}

bool Saver::offer(const MakeSnapshot& make) {
  if (writer_.busy()) return false;
  return writer_.offer(make(), kept());
}

void Saver::save_now(std::uint64_t step, const MakeSnapshot& make) {
  look();
  if (safe_step_ == step) return;
  const bool is_saved = writer_.save_now(make(), kept());
  look();
  if (is_saved) return;
  throw Error(fmt::format("step {} could not be saved: {}", step, last_->message), last_->remedy,
              Exit::training_failed);
}

void Saver::show(const checkpoint::Saved& saved) {
  if (safe_step_ != saved.manifest.step) {  // else it was there already, and the same
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
      console_.warn(fmt::format("step {} was not saved: {}", last_->step, last_->message));
    }
  }
  writer_.check();
}

}  // namespace knead::engine
