#include "runner/report/sweep_points.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/track/short_text.h"

namespace knead::report {
namespace {

std::string value_of(const sweep::PointResult& point, const std::string& key) {
  for (const auto& [name, value] : point.trials.front()->name.values)
    if (name == key) return value;
  return "";
}

}  // namespace

SweepPoints::SweepPoints(const ReportedSweep& reported)
    : sweep(reported),
      points(sweep::points_of(reported.outcome)),
      ranked(sweep::ranked(points, reported.outcome)),
      colours(points.size()) {
  for (const sweep::PointResult& point : points) {
    std::vector<std::string>& row = values.emplace_back();
    for (const sweep::SweptKey& key : reported.outcome.keys)
      row.push_back(value_of(point, key.key));
  }
  for (std::size_t k = 0; k < reported.outcome.keys.size(); ++k) {
    std::vector<std::string> of_key;
    for (const auto& row : values) of_key.push_back(row[k]);
    axes.emplace_back(reported.outcome.keys[k].key, of_key);
  }
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (points[i].mean) order.push_back(i);
  const bool is_low = reported.outcome.objective.goal == plan::Goal::low;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return is_low ? *points[a].mean < *points[b].mean : *points[a].mean > *points[b].mean;
  });
  for (std::size_t i = 0; i < order.size(); ++i) colours[order[i]] = i * kColours / order.size();
}

std::string SweepPoints::value_words(std::size_t point) const {
  const sweep::PointResult& result = points[point];
  if (!result.mean) return "–";
  const std::string mean = track::short_number(*result.mean);
  return result.spread ? mean + " ± " + fmt::format("{:.2g}", *result.spread) : mean;
}

std::string SweepPoints::style(std::size_t point) const {
  return colours[point] ? fmt::format("c{}", *colours[point]) : "cx";
}

std::size_t SweepPoints::with_value() const {
  return static_cast<std::size_t>(
      std::count_if(points.begin(), points.end(),
                    [](const sweep::PointResult& each) { return each.mean.has_value(); }));
}

Scale SweepPoints::objective_scale() const {
  std::vector<double> means;
  for (const sweep::PointResult& point : points)
    if (point.mean) means.push_back(*point.mean);
  if (means.empty()) return {};
  const auto [least, largest] = std::minmax_element(means.begin(), means.end());
  return scale_over(*least, *largest, /*is_log=*/*least > 0 && *largest / *least > 50);
}

}  // namespace knead::report
