#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

#include "recipe.h"
#include "runner/checkpoint/writer.h"
#include "runner/plan/decide.h"
#include "runner/plan/windows.h"
#include "runner/track/tracker.h"

namespace knead::run {

/// Saves checkpoints of a run and reports them on the console. Rotation keeps the best steps by the
/// evaluations so far. The training loop calls offer() for a save that is due, save_next() for a
/// new best step, save_now() at the end and before a stop, and look() between steps. Not
/// thread-safe: called by the training loop only.
class Saver {
 public:
  /// Copies the state of the run at the current step. May throw std::bad_alloc.
  using MakeSnapshot = std::function<checkpoint::Snapshot()>;

  /// Borrows the store, the tracker and the console, and copies what it needs of the recipe. Saves
  /// run in the background if checkpoint.async says so. `resumed_from` is the step that is already
  /// saved; 0 if none is.
  Saver(const recipe::Recipe& recipe, const plan::Windows& windows, checkpoint::Store& store,
        const track::Tracker& tracker, track::Console& console, std::uint64_t resumed_from);

  /// Returns whether no earlier save is running.
  bool is_free() const { return !writer_.busy(); }

  /// Starts a save in the background. Must be called only if is_free(). Without memory for the copy
  /// it warns and saves nothing.
  void offer(const MakeSnapshot& make);

  /// Waits for an earlier save, then starts a save of the step in the background, unless the step
  /// is saved already. Without memory for the copy it warns and saves nothing. Throws as look().
  void save_next(std::uint64_t step, const MakeSnapshot& make);

  /// Saves the step, unless it is saved already, and returns when it is durable and verified.
  /// Throws knead::Error (exit code 5) if the save fails.
  void save_now(std::uint64_t step, const MakeSnapshot& make);

  // --- a save by several ranks: begin_shared(), all ranks write, seal()
  // ---------------------------

  /// Returns whether the step is saved and verified.
  bool is_saved(std::uint64_t step) const { return safe_step_ == step; }

  /// Waits for an earlier save. Throws as look().
  void wait();

  /// Creates the folder into which all ranks write the step, `size` bytes in all, and returns its
  /// path. Must be called only if is_free(). Warns and returns std::nullopt if that fails.
  std::optional<std::filesystem::path> begin_shared(std::uint64_t step, std::uint64_t size);

  /// Warns that a rank cannot begin a save.
  void note_failure(checkpoint::NotSaved failure);

  /// Publishes what the ranks have written, in the background.
  void seal(checkpoint::SharedSave save);

  /// Waits for the save and throws knead::Error (exit code 5) if it has failed.
  void expect_saved();

  /// Shows the saves that ended since the last call, and the warnings of their rotations. Throws
  /// knead::Error (exit code 5) once three saves in a row have failed.
  void look();

 private:
  /// Returns the rules of rotation with the best steps as of now.
  checkpoint::Kept kept() const;

  /// Calls `make`. Warns and returns std::nullopt if memory for the copy is missing.
  std::optional<checkpoint::Snapshot> made(const MakeSnapshot& make);

  /// Notes the saved step, unless it was on disk before, and passes the warnings on.
  void show(const checkpoint::Saved& saved);

  checkpoint::Kept rules_;  // without the best steps
  std::size_t best_ = 0;    // number of best steps to keep
  plan::Objective objective_;
  const track::Tracker& tracker_;
  track::Console& console_;
  checkpoint::Writer writer_;
  std::uint64_t safe_step_ = 0;               // the last step that is known to be saved
  std::optional<checkpoint::NotSaved> last_;  // the last failure
};

}  // namespace knead::run
