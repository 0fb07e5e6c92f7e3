#pragma once

#include <string>
#include <vector>

#include "runner/board/terminal/line.h"
#include "runner/report/thinned_series.h"

namespace knead::board {

/// A curve on a chart.
struct Curve {
  std::string name;  // in the legend, before the last value: "train "; safe to show
  const report::ThinnedSeries* series = nullptr;
  double last = 0;  // the last value, for the legend
  Style style = Style::cyan;
  /// The points are those of evaluations: each is marked where there is room.
  bool is_marked = false;
};

struct ChartOptions {
  std::string title;
  bool is_log = false;   // of the values, not of the steps
  double smoothing = 0;  // weight of the values before, 0 … 1; does not hold for marked curves
  bool is_ascii = false;
  bool has_colour = true;
};

/// Draws curves over steps, with axes: `height` lines of at most `width` columns, the first with
/// the title and the legend. A chart without points says so. The height is at least 4, the
/// width 16.
std::vector<Line> chart(const std::vector<Curve>& curves, const ChartOptions& options,
                        std::size_t width, std::size_t height);

}  // namespace knead::board
