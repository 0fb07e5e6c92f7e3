#include "runner/report/chart.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runner/report/figure.h"
#include "runner/report/html.h"
#include "runner/track/short_text.h"

namespace knead::report {
namespace {

using Json = nlohmann::ordered_json;

constexpr Frame kFrame;  // of the picture that is seen without the script
constexpr std::size_t kMostTicks = 6;
constexpr std::size_t kStyles = 8;

struct Bounds {
  double least = std::numeric_limits<double>::infinity();
  double largest = -std::numeric_limits<double>::infinity();

  void add(double value) {
    least = std::min(least, value);
    largest = std::max(largest, value);
  }
};

struct Axes {
  Scale x;
  Scale y;
};

Axes axes_of(const Chart& chart) {
  Bounds steps, values;
  for (const ChartLine& line : chart.lines) {
    for (const Column& column : line.columns) {
      steps.add(column.first.step);
      steps.add(column.last.step);
      values.add(column.least);
      values.add(column.largest);
    }
  }
  Axes axes{scale_over(steps.least, steps.largest),
            scale_over(values.least, values.largest, chart.is_log)};
  if (steps.largest > steps.least) axes.x.low = steps.least, axes.x.high = steps.largest;
  axes.x.from = kFrame.left, axes.x.to = kFrame.width - kFrame.right;
  axes.y.from = kFrame.bottom(), axes.y.to = kFrame.top;
  return axes;
}

std::string point_text(const Axes& axes, const Position& at, double value) {
  return place_text(axes.x.place(at.step)) + " " + place_text(axes.y.place(value));
}

/// Returns the area between the least and the largest values of a line.
std::string band_svg(const ChartLine& line, const Axes& axes) {
  std::string path = "M";
  for (const Column& column : line.columns)
    path += point_text(axes, column.middle(), column.largest) + "L";
  for (auto column = line.columns.rbegin(); column != line.columns.rend(); ++column)
    path += point_text(axes, column->middle(), column->least) + "L";
  path.back() = 'Z';
  return fmt::format("<path class=\"band\" d=\"{}\"/>", path);
}

std::string line_svg(const ChartLine& line, const Axes& axes) {
  if (line.columns.empty()) return "";
  std::string path = "M", marks;
  for (const Column& column : line.columns) {
    const std::string point = point_text(axes, column.middle(), column.mean());
    path += point + "L";
    // A path of no length with round ends is a dot.
    if (line.has_marks || line.columns.size() == 1) marks += "M" + point + "h0";
  }
  path.pop_back();
  std::string out = fmt::format("<g class=\"s{}\">", line.style % kStyles);
  if (is_thinned(line)) out += band_svg(line, axes);
  out += fmt::format("<path class=\"line\" d=\"{}\"/>", path);
  if (!marks.empty()) out += fmt::format("<path class=\"marks\" d=\"{}\"/>", marks);
  return out + "</g>";
}

std::string events_svg(const Chart& chart, const Axes& axes) {
  std::string out;
  for (const auto& [step, words] : chart.events) {
    if (step < axes.x.low || step > axes.x.high) continue;
    out += fmt::format("<path class=\"event\" d=\"M{} {}V{}\"><title>{}</title></path>",
                       place_text(axes.x.place(step)), kFrame.top, kFrame.bottom(), escaped(words));
  }
  if (chart.best)
    out +=
        fmt::format("<circle class=\"best\" cx=\"{}\" cy=\"{}\" r=\"6\"><title>{}</title></circle>",
                    place_text(axes.x.place(chart.best->step)),
                    place_text(axes.y.place(chart.best->value)), escaped(chart.best->words));
  return out;
}

/// Returns what a chart shows, for those who do not see it.
std::string in_words(const Chart& chart) {
  std::string out = chart.title + " over steps:";
  for (const ChartLine& line : chart.lines) {
    if (line.columns.empty()) continue;
    out += fmt::format(" {} from {} to {};", line.name,
                       track::short_number(line.columns.front().mean()),
                       track::short_number(line.columns.back().mean()));
    if (out.size() > 400) break;
  }
  out.back() = '.';
  return out;
}

std::string legend_html(const Chart& chart) {
  std::string out = "<ul class=\"legend\">";
  for (const ChartLine& line : chart.lines)
    out += fmt::format(
        "<li><svg class=\"key s{0}\" width=\"26\" height=\"10\" aria-hidden=\"true\"><path "
        "class=\"line\" d=\"M1 5H25\"/>{1}</svg><span>{2}</span></li>",
        line.style % kStyles, line.has_marks ? "<path class=\"marks\" d=\"M13 5h0\"/>" : "",
        escaped(line.name));
  return out + "</ul>";
}

}  // namespace

bool is_thinned(const ChartLine& line) {
  return std::any_of(line.columns.begin(), line.columns.end(),
                     [](const Column& column) { return column.points > 1; });
}

std::string html(const Chart& chart) {
  const Axes axes = axes_of(chart);
  std::string svg = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">",
                                kFrame.width, kFrame.height, escaped(in_words(chart)));
  svg += y_axis(kFrame, axes.y, kMostTicks) + x_axis(kFrame, axes.x, "step");
  for (const ChartLine& line : chart.lines) svg += line_svg(line, axes);
  svg += events_svg(chart, axes) + "</svg>";
  return fmt::format(
      "<figure class=\"chart\" id=\"{}\"><figcaption>{}</figcaption>{}<div "
      "class=\"plot\">{}</div>{}</figure>\n",
      chart.id, escaped(chart.title), legend_html(chart), svg,
      chart.note.empty() ? "" : fmt::format("<p class=\"note\">{}</p>", escaped(chart.note)));
}

Json chart_json(const Chart& chart) {
  Json lines = Json::array();
  for (const ChartLine& line : chart.lines) {
    Json steps = Json::array(), mean = Json::array(), least = Json::array(),
         largest = Json::array();
    for (const Column& column : line.columns) {
      steps.push_back(short_json(column.middle().step));
      mean.push_back(short_json(column.mean()));
      least.push_back(short_json(column.least));
      largest.push_back(short_json(column.largest));
    }
    Json& out = lines.emplace_back(Json{{"name", line.name},
                                        {"style", line.style % kStyles},
                                        {"run", line.run},
                                        {"marks", line.has_marks},
                                        {"x", std::move(steps)},
                                        {"y", std::move(mean)}});
    if (!is_thinned(line)) continue;
    out["least"] = std::move(least);
    out["largest"] = std::move(largest);
  }
  Json events = Json::array();
  for (const auto& [step, words] : chart.events) events.push_back({step, words});
  Json out{{"id", chart.id},
           {"title", chart.title},
           {"log", chart.is_log},
           {"lines", std::move(lines)},
           {"events", std::move(events)}};
  if (chart.best)
    out["best"] = {chart.best->step, short_json(chart.best->value), chart.best->words};
  return out;
}

}  // namespace knead::report
