#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "recipe.h"
#include "runner/checkpoint/writer.h"
#include "runner/plan/decide.h"
#include "runner/plan/windows.h"
#include "runner/track/tracker.h"

namespace knead::engine {

/// Saves a run and says so. What is kept follows from the evaluations.
class Saver {
 public:
  using MakeSnapshot = std::function<checkpoint::Snapshot()>;

  /// `resumed_from`: the step that is saved already; 0 if none is.
  Saver(const recipe::Recipe& recipe, const plan::Windows& windows, checkpoint::Store& store,
        const track::Tracker& tracker, track::Console& console, std::uint64_t resumed_from);

  /// Saves while training goes on; false where an earlier save still does, then there is none.
  bool offer(const MakeSnapshot& make);

  /// Saves the step unless it is saved, while training goes on: as soon as no earlier save does.
  void save_next(std::uint64_t step, const MakeSnapshot& make);

  /// Saves the step unless it is saved, and returns when it is safe. Throws knead::Error where it
  /// cannot be, with `then` as what follows from that.
  void save_now(std::uint64_t step, const MakeSnapshot& make);

  /// Shows what was saved since the last call. Throws knead::Error once three saves in a row have
  /// failed.
  void look();

 private:
  checkpoint::Kept kept() const;
  std::optional<checkpoint::Snapshot> made(const MakeSnapshot& make);
  void show(const checkpoint::Saved& saved);

  checkpoint::Kept rules_;
  std::size_t best_ = 0;
  plan::Objective objective_;
  const track::Tracker& tracker_;
  track::Console& console_;
  checkpoint::Writer writer_;
  std::uint64_t safe_step_ = 0;               // the newest that is known to be saved
  std::optional<checkpoint::NotSaved> last_;  // the last failure
};

}  // namespace knead::engine
