#include "runner/front/run_folder.h"

#include <algorithm>
#include <array>

#include "runner/checkpoint/names.h"
#include "runner/files/lock.h"
#include "runner/files/posix_files.h"
#include "runner/track/tracker.h"
#include "schema/load.h"

namespace knead::front {
namespace {

using schema::Unit;

/// Reads resolved.yaml of a run. Ignores problems in it, because files that it names may be gone.
/// Returns an empty node if there is no such file.
schema::Node recipe_of(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "resolved.yaml";
  if (!std::filesystem::exists(file)) return {};
  schema::Problems ignored;
  return schema::read_as_far_as_possible(file.string(), {}, schema::this_world(), ignored).tree;
}

/// Returns whether a run whose last report is `last` has reached train.until.
bool is_all(const schema::Node& recipe, const track::Report& last) {
  static constexpr std::array kUnits{Unit::steps, Unit::epochs, Unit::samples, Unit::seconds};
  const schema::Node* until = schema::find_path(recipe, "train.until");
  if (!until) return false;
  const auto read = schema::read_quantity(until->text, kUnits);
  const auto* length = std::get_if<schema::Quantity>(&read);
  if (!length) return false;
  const double wanted = length->value * (1 - 1e-9);  // epochs are fractions with rounding errors
  switch (length->unit) {
    case Unit::steps: return static_cast<double>(last.step) >= wanted;
    case Unit::epochs: return last.epoch >= wanted;
    case Unit::samples: return static_cast<double>(last.samples) >= wanted;
    default: return last.time >= wanted;
  }
}

/// Returns whether the evaluations of a run cause early_stopping.
bool is_stopped_early(const schema::Node& recipe, const plan::Evaluations& evaluations) {
  const schema::Node* early = schema::find_path(recipe, "early_stopping");
  const schema::Node* monitor = schema::find_path(recipe, "evaluate.monitor");
  if (!early || !early->is_map() || !monitor) return false;
  static constexpr std::array kUnits{Unit::evaluations};
  const auto read = schema::read_quantity(early->at("patience").text, kUnits);
  const auto* length = std::get_if<schema::Quantity>(&read);
  if (!length) return false;
  const schema::Node* metric = early->find("metric");
  const schema::Node* goal = early->find("goal");
  plan::Patience patience;
  patience.metric = (metric ? metric : monitor)->text;
  patience.goal = plan::objective(patience.metric, recipe).goal;
  if (goal) patience.goal = goal->text == "maximize" ? plan::Goal::high : plan::Goal::low;
  patience.evaluations = static_cast<std::size_t>(length->value);
  patience.min_delta = early->at("min_delta").number;
  return plan::why_stop_early(patience, evaluations).has_value();
}

/// Returns the step of the newest checkpoint with a whole manifest; std::nullopt if there is none.
std::optional<std::uint64_t> saved_step(const std::vector<checkpoint::Listed>& checkpoints) {
  std::optional<std::uint64_t> step;
  for (const checkpoint::Listed& each : checkpoints) {
    if (each.manifest) step = each.step;
  }
  return step;
}

RunState state_of(const files::LockState& lock, std::optional<std::uint64_t> saved,
                  const schema::Node& recipe, const std::optional<track::Report>& last,
                  const plan::Evaluations& evaluations) {
  if (lock.is_held) return RunState::running;
  const bool is_over = last && (is_all(recipe, *last) || is_stopped_early(recipe, evaluations));
  if (saved && is_over && *saved >= last->step) return RunState::finished;
  if (!lock.holder.empty()) return RunState::failed;
  return saved ? RunState::stopped : RunState::empty;
}

}  // namespace

std::string_view to_string(RunState state) {
  static constexpr std::array<std::string_view, 6> kWords{"running", "finished", "failed",
                                                          "stopped", "empty",    "unreadable"};
  return kWords[static_cast<std::size_t>(state)];
}

bool is_run(const std::filesystem::path& folder) {
  // A folder that cannot be read counts as a run, so that it is listed as unreadable.
  std::error_code error;
  return std::filesystem::exists(folder / "LOCK", error) || error ||
         std::filesystem::exists(checkpoint::checkpoints_folder(folder), error) || error;
}

RunFolder look_at_run(const std::filesystem::path& folder) {
  RunFolder run;
  run.path = folder;
  run.name = std::filesystem::canonical(folder).filename().string();
  files::PosixFiles disk;
  const files::LockState lock = files::look_at_lock(folder);
  run.checkpoints = checkpoint::list_checkpoints(disk, folder);
  const schema::Node recipe = recipe_of(folder);
  const auto last = track::last_report(folder / track::kMetricsFile);
  const auto saved = saved_step(run.checkpoints);
  const plan::Evaluations evaluations = track::read_evaluations(folder / track::kEvaluationsFile);
  run.state = state_of(lock, saved, recipe, last, evaluations);
  if (run.state == RunState::running || run.state == RunState::failed) run.holder = lock.holder;
  if (last) run.step = last->step;
  if (saved) run.step = std::max(run.step, *saved);
  if (!evaluations.empty()) run.last = evaluations.back();
  if (const schema::Node* monitor = schema::find_path(recipe, "evaluate.monitor")) {
    run.monitor = monitor->text;
    run.best = plan::best_value(evaluations, plan::objective(run.monitor, recipe));
  }
  return run;
}

std::uint64_t bytes_of(const checkpoint::Manifest& manifest) {
  std::uint64_t bytes = 0;
  for (const auto& [name, facts] : manifest.files) bytes += facts.size;
  return bytes;
}

}  // namespace knead::front
