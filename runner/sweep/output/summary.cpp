#include "runner/sweep/output/summary.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/sweep/output/value.h"
#include "runner/sweep/output/words.h"
#include "runner/track/markdown.h"
#include "runner/track/short_text.h"

namespace knead::sweep {
namespace {

constexpr std::size_t kMostRows = 20;

std::string value_of(const PointResult& point, const std::string& key) {
  for (const auto& [name, value] : point.trials.front()->name.values) {
    if (name == key) return value_in_words(value);
  }
  return "";
}

/// Returns the mean of a point, with its spread where there is one: "0.2314 ± 0.012".
std::string objective_in_words(const PointResult& point) {
  if (!point.mean) return "";
  const std::string mean = track::short_number(*point.mean);
  return point.spread ? mean + " ± " + track::short_number(*point.spread) : mean;
}

/// Returns the step of the best objective, if the point has a single trial.
std::string step_in_words(const PointResult& point) {
  const Trial& trial = *point.trials.front();
  return point.trials.size() == 1 && trial.best ? fmt::format("{}", trial.best->step) : "";
}

/// A trial, or a point with its trials, and the reasons to look at it.
struct Complaint {
  std::string name;
  std::vector<std::string> trials;  // ids
  std::vector<std::string> reasons;
  std::vector<std::string> last_lines{};
};

std::vector<Complaint> complaints_of(const std::vector<PointResult>& points, int seeds) {
  std::vector<Complaint> out;
  for (const PointResult& point : points) {
    std::vector<std::string> ids;
    for (const Trial* trial : point.trials) {
      ids.push_back(trial->name.id);
      if (trial->state == TrialState::failed)
        out.push_back({trial_in_words(*trial, seeds),
                       {trial->name.id},
                       {failure_in_words(*trial)},
                       trial->last_lines});
    }
    const std::vector<std::string> unmet = unmet_sentences(point);
    if (!unmet.empty()) out.push_back({point_in_words(point), ids, unmet});
  }
  return out;
}

std::string verdict(const Outcome& outcome) {
  const Exit code = exit_of(outcome);
  if (code == Exit::training_failed) return "❌ trials failed";
  if (code == Exit::expectation_failed) return "❌ expectations are not met";
  const bool is_open =
      std::any_of(outcome.trials.begin(), outcome.trials.end(), [](const Trial& trial) {
        return trial.state != TrialState::finished && trial.state != TrialState::pruned;
      });
  return is_open ? "⏸ not finished" : "✅ done";
}

std::string best_in_words(const std::vector<PointResult>& points, const Outcome& outcome) {
  const auto best = best_point(points, outcome);
  if (!best) return "No point has finished with a finite objective.\n";
  const PointResult& point = points[*best];
  const Trial& trial = best_trial(point, outcome);
  return fmt::format("**Best {}: {}** at point {}, {} (trial {}, step {})\n",
                     track::markdown_text(outcome.objective.metric), objective_in_words(point),
                     point.point, track::markdown_text(trial_in_words(trial, outcome.seeds)),
                     trial.name.id, trial.best->step);
}

std::string table_of_points(const std::vector<PointResult>& points, const Outcome& outcome) {
  std::string head = "| point |", line = "| ---: |";
  for (const SweptKey& key : outcome.keys) {
    head += " " + track::markdown_text(key.key) + " |";
    line += " --- |";
  }
  std::string out = fmt::format("{} {} | step | state |\n{} ---: | ---: | --- |\n", head,
                                track::markdown_text(outcome.objective.metric), line);
  std::vector<std::size_t> order = ranked(points, outcome);
  const std::size_t shown = std::min(order.size(), kMostRows);
  order.resize(shown);
  for (const std::size_t index : order) {
    const PointResult& point = points[index];
    out += fmt::format("| {} |", point.point);
    for (const SweptKey& key : outcome.keys)
      out += " " + track::markdown_text(value_of(point, key.key)) + " |";
    out += fmt::format(" {} | {} | {} |\n", objective_in_words(point), step_in_words(point),
                       to_string(point.state));
  }
  if (points.size() > shown) out += fmt::format("\n{} more points\n", points.size() - shown);
  return out;
}

std::string indented(const std::vector<std::string>& lines) {
  if (lines.empty()) return "";
  // Lines indented by four from the text of the item above, which Markdown shows as they are.
  std::string out = "\n";
  for (const std::string& line : lines) out += "        " + line + "\n";
  return out + "\n";
}

std::string list_of_complaints(const std::vector<Complaint>& complaints) {
  if (complaints.empty()) return "";
  std::string out = "\n### Failed, or not as expected\n\n";
  const std::size_t shown = std::min(complaints.size(), kMostRows);
  for (std::size_t index = 0; index < shown; ++index) {
    const Complaint& each = complaints[index];
    out += fmt::format("- {} ({} {})\n", track::markdown_text(each.name),
                       each.trials.size() == 1 ? "trial" : "trials", fmt::join(each.trials, ", "));
    for (const std::string& reason : each.reasons)
      out += "  - " + track::markdown_text(reason) + "\n";
    out += indented(each.last_lines);
  }
  if (complaints.size() > shown) out += fmt::format("- {} more\n", complaints.size() - shown);
  return out;
}

}  // namespace

std::string summary_markdown(const Outcome& outcome) {
  const std::vector<PointResult> points = points_of(outcome);
  return fmt::format("## Sweep {}: {}\n\n{}\n\n{}\n", track::markdown_text(outcome.name),
                     verdict(outcome), states_in_words(outcome.trials),
                     best_in_words(points, outcome)) +
         table_of_points(points, outcome) +
         list_of_complaints(complaints_of(points, outcome.seeds));
}

}  // namespace knead::sweep
