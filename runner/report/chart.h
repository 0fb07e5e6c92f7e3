#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "runner/report/thinned_series.h"

namespace knead::report {

/// A line of a chart.
struct ChartLine {
  std::string name;
  std::vector<Column> columns;  // by step
  /// Number of the colour, of the pattern of the line and of its marks, from 0.
  std::size_t style = 0;
  /// Each point has a mark: for evaluations, which are few.
  bool has_marks = false;
  /// Number of the run whose steps these are, in the data of the page; see axes_json().
  std::size_t run = 0;
};

/// A point of a chart that is pointed out: the best evaluation.
struct ChartPoint {
  double step = 0;
  double value = 0;
  std::string words;
};

/// Describes a chart over the steps of training. The page's script draws it anew: over epochs or
/// time, smoothed, zoomed, with a logarithmic scale.
struct Chart {
  std::string id;     // unique in the page: letters, digits and dashes
  std::string title;  // "loss"
  std::vector<ChartLine> lines;
  bool is_log = false;
  std::optional<ChartPoint> best{};
  /// Steps at which something happened to the run, with words for it: "resumed".
  std::vector<std::pair<double, std::string>> events{};
  std::string note{};  // a sentence below the chart; may be empty
};

/// Returns whether a line stands for more points than it has.
bool is_thinned(const ChartLine& line);

/// Returns the chart as HTML: a figure with an SVG that is whole without the script.
std::string html(const Chart& chart);

/// Returns what the script needs to draw the chart.
nlohmann::ordered_json chart_json(const Chart& chart);

}  // namespace knead::report
