#include "runner/board/terminal/chart.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "runner/board/terminal/raster.h"
#include "runner/report/scale.h"
#include "runner/track/short_text.h"

namespace knead::board {
namespace {

/// The least and the largest of some numbers.
struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void take(double from, double to) {
    low = std::min(low, from);
    high = std::max(high, to);
  }

  /// Returns the scale from end to end, widened if all numbers are the same.
  report::Scale scale(bool is_log) const {
    if (is_log && low > 0 && high > low * (1 + 1e-9)) return {low, high, true};
    // Numbers that differ in their last digits only have no round values between them.
    const double largest = std::max(std::abs(low), std::abs(high));
    if (high - low > largest * 1e-9) return {low, high};
    const double around = largest > 0 ? largest * 0.1 : 1;
    return {low - around, high + around};
  }
};

/// Returns the exponential moving average of the means of columns, in which the value before counts
/// with `weight`, 0 … 1; the beginning is not drawn towards 0.
std::vector<double> smoothed(const std::vector<report::Column>& columns, double weight) {
  std::vector<double> values;
  double average = 0;
  double known = 0;  // how much of the weights lies on values so far
  for (const report::Column& column : columns) {
    average = weight * average + (1 - weight) * column.mean();
    known = weight * known + (1 - weight);
    values.push_back(average / known);
  }
  return values;
}

/// Draws onto a raster whose corners are the ends of two scales.
class Pen {
 public:
  Pen(Raster& raster, const report::Scale& x, const report::Scale& y)
      : raster_(raster), x_(x), y_(y) {}

  void draw(const Curve& curve, const ChartOptions& options) {
    const std::vector<report::Column>& columns = curve.series->columns();
    const bool is_smoothed = options.smoothing > 0 && !curve.is_marked;
    draw_ranges(columns, is_smoothed ? Style::dim : curve.style);
    if (is_smoothed) draw_smoothed(columns, options.smoothing, curve.style);
    const auto most = static_cast<std::size_t>(raster_.width() / Raster::kAcross) / 2;
    if (!curve.is_marked || columns.size() > most) return;
    for (const report::Column& column : columns)
      raster_.mark(across(column.middle().step), down(column.mean()), "●", curve.style);
  }

 private:
  /// Draws each column from its least to its largest value, and a line to the next one where the
  /// two do not overlap.
  void draw_ranges(const std::vector<report::Column>& columns, Style style) {
    const report::Column* before = nullptr;
    for (const report::Column& column : columns) {
      const int x = across(column.middle().step);
      raster_.segment(x, down(column.least), x, down(column.largest), style);
      if (before) {
        const auto [from, to] = nearest(*before, column);
        raster_.segment(across(before->middle().step), down(from), x, down(to), style);
      }
      before = &column;
    }
  }

  /// Returns the values of two columns that are nearest to each other.
  static std::pair<double, double> nearest(const report::Column& a, const report::Column& b) {
    if (a.largest < b.least) return {a.largest, b.least};
    if (b.largest < a.least) return {a.least, b.largest};
    const double middle = (std::max(a.least, b.least) + std::min(a.largest, b.largest)) / 2;
    return {middle, middle};
  }

  void draw_smoothed(const std::vector<report::Column>& columns, double weight, Style style) {
    const std::vector<double> values = smoothed(columns, weight);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::size_t last = i == 0 ? 0 : i - 1;
      raster_.segment(across(columns[last].middle().step), down(values[last]),
                      across(columns[i].middle().step), down(values[i]), style);
    }
  }

  int across(double x) const {
    return static_cast<int>(std::lround(std::clamp(x_.place(x), 0.0, 1.0) * (raster_.width() - 1)));
  }
  int down(double y) const {
    const double height = raster_.height() - 1;
    return static_cast<int>(std::lround((1 - std::clamp(y_.place(y), 0.0, 1.0)) * height));
  }

  Raster& raster_;
  const report::Scale& x_;
  const report::Scale& y_;
};

/// Returns the title line: what is drawn, and of each curve its last value.
Line title_of(const std::vector<Curve>& curves, const ChartOptions& options, std::size_t width) {
  Line line(width, options.has_colour);
  line.add(options.title, Style::bold);
  if (options.is_log) line.add(" (log)", Style::dim);
  for (const Curve& curve : curves) {
    const report::ThinnedSeries& series = *curve.series;
    if (series.columns().empty() && series.not_finite() == 0) continue;
    line.add(curve.is_marked ? (options.is_ascii ? "  o " : "  ● ")
                             : (options.is_ascii ? "  - " : "  ─ "),
             curve.style);
    line.add(curve.name + track::short_number(curve.last));
    if (series.not_finite() > 0)
      line.add(fmt::format(" ({} not finite)", series.not_finite()), Style::red);
  }
  return line;
}

/// Returns the line of steps below the dots; `left` columns belong to the labels of the values.
Line steps_line(const report::Scale& x, std::size_t left, std::size_t cells,
                const ChartOptions& options) {
  Line line(left + cells, options.has_colour);
  constexpr std::string_view kUnit = "step";
  const std::size_t end = line.width() - kUnit.size() - 1;
  for (const report::Tick& tick : report::ticks(x, std::max<std::size_t>(cells / 12, 3))) {
    const double at = x.place(tick.value) * static_cast<double>(cells - 1);
    const auto middle = left + static_cast<std::size_t>(std::lround(std::max(at, 0.0)));
    const std::size_t half = tick.text.size() / 2;
    const std::size_t begin = std::max(middle > half ? middle - half : 0, left > 0 ? left - 1 : 0);
    if (begin < line.columns() + (line.columns() > 0 ? 1 : 0) || begin + tick.text.size() > end)
      continue;
    line.to(begin).add(tick.text, Style::dim);
  }
  return line.to(end + 1), line.add(kUnit, Style::dim), line;
}

}  // namespace

std::vector<Line> chart(const std::vector<Curve>& curves, const ChartOptions& options,
                        std::size_t width, std::size_t height) {
  std::vector<Line> lines{title_of(curves, options, width)};
  Range x_range;
  Range y_range;
  for (const Curve& curve : curves) {
    for (const report::Column& column : curve.series->columns()) {
      x_range.take(column.first.step, column.last.step);
      y_range.take(column.least, column.largest);
    }
  }
  if (!(x_range.low <= x_range.high)) {
    lines.push_back(Line(width, options.has_colour).add("  no values yet", Style::dim));
    lines.resize(height, Line(width, options.has_colour));
    return lines;
  }
  const report::Scale x = x_range.scale(false);
  const report::Scale y = y_range.scale(options.is_log);
  const std::size_t rows = height - 2;
  const std::vector<report::Tick> values = report::ticks(y, std::max<std::size_t>(rows / 3, 2));
  std::size_t left = 1;
  for (const report::Tick& tick : values) left = std::max(left, tick.text.size());
  left += 1;  // of the line of the axis
  const std::size_t cells = width > left + 4 ? width - left : 4;
  Raster raster(static_cast<int>(cells), static_cast<int>(rows));
  Pen pen(raster, x, y);
  for (const Curve& curve : curves) pen.draw(curve, options);
  std::vector<std::string> labels(rows);
  for (const report::Tick& tick : values) {
    const double down = (1 - y.place(tick.value)) * static_cast<double>(rows * Raster::kDown - 1);
    labels[static_cast<std::size_t>(std::max(std::lround(down), 0L)) / Raster::kDown] = tick.text;
  }
  for (std::size_t row = 0; row < rows; ++row) {
    Line line(width, options.has_colour);
    line.cell(labels[row], left - 1, true, Style::dim);
    line.add(options.is_ascii ? "|" : labels[row].empty() ? "│" : "┤", Style::dim);
    raster.write_row(static_cast<int>(row), options.is_ascii, line);
    lines.push_back(line);
  }
  lines.push_back(steps_line(x, left, cells, options));
  return lines;
}

}  // namespace knead::board
