// The charts of a run.

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "runner/report/readable_text.h"
#include "runner/report/run_page.h"
#include "runner/track/short_text.h"

namespace knead::report {
namespace {

std::string id_of(std::size_t number) { return fmt::format("chart-{}", number); }

/// Returns the evaluations of a metric of a set as a line.
ThinnedSeries series_of(const FollowedRun& run, const std::string& set, const std::string& name) {
  ThinnedSeries series;
  for (const plan::Evaluation& each : run.evaluations()) {
    if (each.set != set) continue;
    for (const auto& [metric, value] : each.values)
      if (metric == name)
        series.add({run.curves().position_of(static_cast<double>(each.step)), value});
  }
  return series;
}

/// Says which values cannot be drawn.
void add_note(const ThinnedSeries& series, const std::string& line, Chart& chart) {
  if (series.not_finite() == 0) return;
  chart.note += fmt::format("{}{} of {} are NaN or infinite, first at step {}.",
                            chart.note.empty() ? "" : " ", series.not_finite(), line,
                            series.first_not_finite());
}

/// Adds the evaluations of a metric to its chart, a line for each set.
void add_evaluations(const FollowedRun& run, const std::string& name, Chart& chart) {
  std::set<std::string> sets;
  for (const plan::Evaluation& each : run.evaluations()) sets.insert(each.set);
  for (const std::string& set : sets) {
    const ThinnedSeries series = series_of(run, set, name);
    if (series.points() == 0 && series.not_finite() == 0) continue;
    const std::string words = readable_text(set + "/" + name);
    add_note(series, words, chart);
    // A style of its own for each set, in all charts.
    const auto style = static_cast<std::size_t>(std::distance(sets.begin(), sets.find(set)));
    chart.lines.push_back({words, series.columns(), 1 + style, /*has_marks=*/true});
    const RunFacts& facts = run.facts();
    if (facts.best && facts.monitor.metric == set + "/" + name)
      chart.best =
          ChartPoint{static_cast<double>(facts.best->step), facts.best->value,
                     fmt::format("best {}: {} at step {}", words,
                                 track::short_number(facts.best->value), facts.best->step)};
  }
}

/// Returns whether the values of a curve span so many powers of ten that a logarithmic scale shows
/// more. By means, because a few reports near 0 are noise.
bool wants_log(const ThinnedSeries& series) {
  double least = 0, largest = 0;
  for (const Column& column : series.columns()) {
    if (column.least <= 0) return false;
    least = least == 0 ? column.mean() : std::min(least, column.mean());
    largest = std::max(largest, column.mean());
  }
  return least > 0 && largest / least > 1000;
}

}  // namespace

std::string chart_title(const std::string& name) {
  static const std::map<std::string, std::string> kTitles{
      {"lr", "learning rate"},
      {"gradient_norm", "gradient norm, before clipping"},
      {"samples_per_second", "samples per second"},
      {"data_wait", "share of time spent waiting for data"},
      {"skipped", "updates skipped"},
      {"mfu", "model FLOPs utilization, share of the peak"}};
  const auto found = kTitles.find(name);
  return found == kTitles.end() ? readable_text(name) : found->second;
}

std::vector<Chart> charts_of(const FollowedRun& run) {
  std::vector<Chart> charts;
  std::set<std::string> drawn;
  const std::vector<std::pair<double, std::string>> resumes = run.log().resumes();
  for (const Curve& curve : run.curves().curves()) {
    const bool is_all_zero =
        std::all_of(curve.series.columns().begin(), curve.series.columns().end(),
                    [](const Column& column) { return column.least == 0 && column.largest == 0; });
    // Updates are seldom skipped, and a chart that says so says nothing.
    if (is_all_zero && curve.name == "skipped") continue;
    Chart chart{.id = id_of(charts.size()), .title = chart_title(curve.name), .lines = {}};
    chart.is_log = curve.name != "lr" && wants_log(curve.series);
    chart.events = resumes;
    add_note(curve.series, "the reports", chart);
    if (curve.series.points() > 0)
      chart.lines.push_back({curve.name == "loss" ? "train/loss" : readable_text(curve.name),
                             curve.series.columns()});
    add_evaluations(run, curve.name, chart);
    drawn.insert(curve.name);
    if (!chart.lines.empty() || !chart.note.empty()) charts.push_back(std::move(chart));
  }
  std::vector<Chart> metrics;
  for (const plan::Evaluation& each : run.evaluations()) {
    for (const auto& [name, value] : each.values) {
      if (!drawn.insert(name).second || metrics.size() == Curves::kMostCurves) continue;
      Chart chart{.id = "", .title = chart_title(name), .lines = {}};
      chart.events = resumes;
      add_evaluations(run, name, chart);
      if (!chart.lines.empty()) metrics.push_back(std::move(chart));
    }
  }
  // Metrics stand behind the loss, before rates and norms.
  const std::size_t at = charts.empty() ? 0 : 1;
  charts.insert(charts.begin() + static_cast<std::ptrdiff_t>(at), metrics.begin(), metrics.end());
  for (std::size_t i = 0; i < charts.size(); ++i) charts[i].id = id_of(i);
  return charts;
}

}  // namespace knead::report
