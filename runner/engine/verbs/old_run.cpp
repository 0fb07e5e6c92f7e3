#include "runner/engine/verbs/old_run.h"

#include <fmt/format.h>

#include "runner/files/read.h"
#include "runner/run/end_state.h"
#include "runner/track/log.h"
#include "runner/track/tracker.h"
#include "schema/document/error.h"

namespace knead::engine {
namespace {

bool is_asked_for(const Call& call, const recipe::Recipe& recipe) {
  return call.fresh || recipe.checkpoint.resume == recipe::Checkpoint::Resume::never;
}

/// Returns whether a run has saved a checkpoint at some time, by its log.
bool has_saved(const std::filesystem::path& folder) {
  const auto log = files::read_text_if_possible(folder / track::kLogFile);
  return log && log->find("  saved step ") != std::string::npos;
}

}  // namespace

checkpoint::Recovery recover(const Call& call, const recipe::Recipe& recipe,
                             const std::filesystem::path& folder, checkpoint::Store& store,
                             checkpoint::Hold hold) {
  if (is_asked_for(call, recipe)) return {};
  checkpoint::Recovery recovery = store.recover(hold);
  if (recovery.found) return recovery;
  const auto end = run::read_end_state(folder);
  // A run that failed may not have saved anything.
  if (end && end->step > 0 && !end->failure)
    throw Error(fmt::format("{} has ended at step {}, and its checkpoints are gone",
                            folder.string(), end->step),
                fmt::format("bring them back, or begin anew with --fresh; the old run is then kept "
                            "as {}.old-1",
                            folder.string()));
  return recovery;
}

std::string keep_old_run(const Call& call, const recipe::Recipe& recipe, run::RunFolder& folder,
                         checkpoint::Store& store) {
  const bool is_asked = is_asked_for(call, recipe);
  const auto last = track::last_report(folder.path() / track::kMetricsFile);
  const bool has_lost = last && has_saved(folder.path());
  if (!is_asked && !has_lost) return "";
  const std::string aside = folder.start_over();
  store.recover(checkpoint::Hold::state);  // of the new folder
  if (aside.empty()) return "";
  if (is_asked) return fmt::format("the old run is kept as {}", aside);
  return fmt::format(
      "the run was at step {} and its checkpoints are gone: it begins anew, and what "
      "it left is kept as {}",
      last->step, aside);
}

}  // namespace knead::engine
