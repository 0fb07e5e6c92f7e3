#include "runner/board/terminal/run_metrics.h"

#include <algorithm>
#include <cmath>

namespace knead::board {
namespace {

/// Columns of a curve: a terminal has fewer dots in a row.
constexpr std::size_t kColumns = 1024;

Metric& metric_of(std::vector<Metric>& metrics, std::string_view name) {
  const auto same = [&](const Metric& each) { return each.name == name; };
  const auto found = std::find_if(metrics.begin(), metrics.end(), same);
  return found != metrics.end() ? *found : metrics.emplace_back(Metric{std::string(name)});
}

/// Most runs skip no update, and a chart of zeros tells nothing.
bool is_worth_a_chart(const report::Curve& curve) {
  const auto& columns = curve.series.columns();
  return curve.name != "skipped" || (!columns.empty() && columns.back().largest > 0);
}

}  // namespace

RunMetrics::RunMetrics(const std::filesystem::path& folder)
    : files_(folder), reports_(files_, folder, kColumns), evaluations_(files_, folder) {}

bool RunMetrics::read_on() {
  bool has_changed = false;
  try {
    has_changed = reports_.read_on();
    if (evaluations_.read_on()) {
      has_changed = true;
      add_evaluations();
    }
  } catch (const files::FileError&) {
    // A folder that is removed while it is watched: what was read is still shown.
  }
  return has_changed;
}

void RunMetrics::add_evaluations() {
  evaluated_.clear();
  for (const plan::Evaluation& evaluation : evaluations_.evaluations()) {
    for (const auto& [name, value] : evaluation.values) {
      auto same = std::find_if(evaluated_.begin(), evaluated_.end(), [&](const auto& each) {
        return each.set == evaluation.set && each.name == name;
      });
      if (same == evaluated_.end())
        same = evaluated_.insert(same, {evaluation.set, name, report::ThinnedSeries(kColumns)});
      same->last = value;
      same->series.add({{static_cast<double>(evaluation.step), 0, 0}, value});
    }
  }
}

double RunMetrics::last_report_of(std::string_view name) const {
  for (const auto& [key, value] : reports_.last()) {
    if (key == name) return value;
  }
  return NAN;
}

std::vector<Metric> RunMetrics::metrics() const {
  std::vector<Metric> metrics;
  if (const report::ThinnedSeries* loss = reports_.find("loss"))
    metrics.push_back({"loss", {{std::string(kTraining), loss, last_report_of("loss")}}});
  for (const Evaluated& each : evaluated_)
    metric_of(metrics, each.name).sources.push_back({each.set, &each.series, each.last});
  for (const report::Curve& curve : reports_.curves()) {
    if (curve.name != "loss" && is_worth_a_chart(curve))
      metric_of(metrics, curve.name)
          .sources.push_back({std::string(kTraining), &curve.series, last_report_of(curve.name)});
  }
  return metrics;
}

}  // namespace knead::board
