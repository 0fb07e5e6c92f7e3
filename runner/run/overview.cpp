#include "runner/run/overview.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "runner/checkpoint/names.h"
#include "runner/files/posix_files.h"
#include "runner/run/names.h"
#include "runner/track/tracker.h"
#include "schema/document/error.h"
#include "schema/load.h"

namespace knead::run {
bool is_run(const std::filesystem::path& folder) {
  // A folder that cannot be read counts as a run, so that it is listed as unreadable.
  std::error_code error;
  return std::filesystem::exists(folder / files::kLockFile, error) || error ||
         std::filesystem::exists(checkpoint::checkpoints_folder(folder), error) || error;
}

schema::Node recipe_of(const std::filesystem::path& run_folder) {
  const std::filesystem::path file = run_folder / kResolvedFile;
  std::error_code unread;
  if (!std::filesystem::exists(file, unread)) return {};
  schema::Problems ignored;
  return schema::read_as_far_as_possible(file.string(), {}, schema::this_world(), ignored).tree;
}

plan::Objective monitor_of(const schema::Node& recipe) {
  const schema::Node* monitor = schema::find_path(recipe, "evaluate.monitor");
  return plan::objective(monitor ? monitor->text : "", recipe);
}

std::string_view to_string(RunState state) {
  static constexpr std::array<std::string_view, 6> kWords{"running", "finished", "failed",
                                                          "stopped", "empty",    "unreadable"};
  return kWords[static_cast<std::size_t>(state)];
}

std::optional<std::uint64_t> saved_step(const std::vector<checkpoint::Listed>& checkpoints) {
  std::optional<std::uint64_t> step;
  for (const checkpoint::Listed& each : checkpoints) {
    if (each.manifest) step = each.step;
  }
  return step;
}

RunState state_of(const files::LockState& lock, const std::vector<checkpoint::Listed>& checkpoints,
                  const std::optional<EndState>& end) {
  return state_of(lock, saved_step(checkpoints), end);
}

RunState state_of(const files::LockState& lock, std::optional<std::uint64_t> saved,
                  const std::optional<EndState>& end) {
  if (lock.is_held) return RunState::running;
  if (end && end->failure) return RunState::failed;
  // end.json alone does not suffice: its last checkpoint may have been deleted or damaged since.
  if (saved && end && *saved >= end->step) return RunState::finished;
  if (!lock.holder.empty()) return RunState::failed;
  return saved ? RunState::stopped : RunState::empty;
}

Overview look_at_run(const std::filesystem::path& folder) {
  Overview run;
  run.path = folder;
  std::error_code failure;
  run.name = std::filesystem::canonical(folder, failure).filename().string();
  if (failure) throw Error(fmt::format("cannot read {}: {}", folder.string(), failure.message()));
  files::PosixFiles disk;
  const files::LockState lock = files::look_at_lock(folder);
  run.checkpoints = checkpoint::list_checkpoints(disk, folder);
  const auto last = track::last_report(folder / track::kMetricsFile);
  const auto saved = saved_step(run.checkpoints);
  const auto end = read_end_state(folder);
  run.state = state_of(lock, run.checkpoints, end);
  if (run.state == RunState::finished || run.state == RunState::failed) run.end = end;
  if (run.state == RunState::running || run.state == RunState::failed) run.holder = lock.holder;
  // A run may report more often than it saves, or save without a report: the later of both counts.
  if (last) run.step = last->step;
  if (saved) run.step = std::max(run.step, *saved);
  const plan::Evaluations evaluations = track::read_evaluations(folder / track::kEvaluationsFile);
  if (!evaluations.empty()) run.last = evaluations.back();
  const plan::Objective monitor = monitor_of(recipe_of(folder));
  run.monitor = monitor.metric;
  run.best = plan::best_value(evaluations, monitor);
  return run;
}

}  // namespace knead::run
