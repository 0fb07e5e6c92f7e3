#include "runner/report/chart.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runner/report/html.h"
#include "runner/report/scale.h"
#include "runner/track/short_text.h"

namespace knead::report {
namespace {

using Json = nlohmann::ordered_json;

// The picture that is seen without the script, in units of the view.
constexpr double kWidth = 560, kHeight = 250;
constexpr double kLeft = 54, kRight = 12, kTop = 10, kBottom = 34;
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

/// The axes of a chart.
struct Frame {
  Scale x;
  Scale y;
};

Frame frame_of(const Chart& chart) {
  Bounds steps, values;
  for (const ChartLine& line : chart.lines) {
    for (const Column& column : line.columns) {
      steps.add(column.first.step);
      steps.add(column.last.step);
      values.add(column.least);
      values.add(column.largest);
    }
  }
  Frame frame{scale_over(steps.least, steps.largest),
              scale_over(values.least, values.largest, chart.is_log)};
  if (steps.largest > steps.least) frame.x.low = steps.least, frame.x.high = steps.largest;
  frame.x.from = kLeft, frame.x.to = kWidth - kRight;
  frame.y.from = kHeight - kBottom, frame.y.to = kTop;
  return frame;
}

std::string axes_svg(const Frame& frame) {
  std::string out = "<g class=\"axes\">";
  for (const Tick& tick : ticks(frame.y, kMostTicks)) {
    const std::string y = place_text(frame.y.place(tick.value));
    out += fmt::format("<path d=\"M{} {}H{}\"/><text x=\"{}\" y=\"{}\" dy=\".32em\">{}</text>",
                       kLeft, y, kWidth - kRight, kLeft - 6, y, tick.text);
  }
  for (const Tick& tick : ticks(frame.x, kMostTicks)) {
    const std::string x = place_text(frame.x.place(tick.value));
    out += fmt::format("<text class=\"x\" x=\"{}\" y=\"{}\">{}</text>", x, kHeight - kBottom + 16,
                       tick.text);
  }
  return out + fmt::format("<text class=\"x name\" x=\"{}\" y=\"{}\">step</text></g>",
                           (kLeft + kWidth - kRight) / 2, kHeight - 4);
}

std::string point_text(const Frame& frame, const Position& at, double value) {
  return place_text(frame.x.place(at.step)) + " " + place_text(frame.y.place(value));
}

/// Returns the area between the least and the largest values of a line.
std::string band_svg(const ChartLine& line, const Frame& frame) {
  std::string path = "M";
  for (const Column& column : line.columns)
    path += point_text(frame, column.middle(), column.largest) + "L";
  for (auto column = line.columns.rbegin(); column != line.columns.rend(); ++column)
    path += point_text(frame, column->middle(), column->least) + "L";
  path.back() = 'Z';
  return fmt::format("<path class=\"band\" d=\"{}\"/>", path);
}

std::string line_svg(const ChartLine& line, const Frame& frame) {
  if (line.columns.empty()) return "";
  std::string path = "M", marks;
  for (const Column& column : line.columns) {
    const std::string point = point_text(frame, column.middle(), column.mean());
    path += point + "L";
    // A path of no length with round ends is a dot.
    if (line.has_marks || line.columns.size() == 1) marks += "M" + point + "h0";
  }
  path.pop_back();
  std::string out = fmt::format("<g class=\"s{}\">", line.style % kStyles);
  if (is_thinned(line)) out += band_svg(line, frame);
  out += fmt::format("<path class=\"line\" d=\"{}\"/>", path);
  if (!marks.empty()) out += fmt::format("<path class=\"marks\" d=\"{}\"/>", marks);
  return out + "</g>";
}

std::string events_svg(const Chart& chart, const Frame& frame) {
  std::string out;
  for (const auto& [step, words] : chart.events) {
    if (step < frame.x.low || step > frame.x.high) continue;
    out += fmt::format("<path class=\"event\" d=\"M{} {}V{}\"><title>{}</title></path>",
                       place_text(frame.x.place(step)), kTop, kHeight - kBottom, escaped(words));
  }
  if (chart.best)
    out +=
        fmt::format("<circle class=\"best\" cx=\"{}\" cy=\"{}\" r=\"6\"><title>{}</title></circle>",
                    place_text(frame.x.place(chart.best->step)),
                    place_text(frame.y.place(chart.best->value)), escaped(chart.best->words));
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
  const Frame frame = frame_of(chart);
  std::string svg = fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">",
                                kWidth, kHeight, escaped(in_words(chart)));
  svg += axes_svg(frame);
  for (const ChartLine& line : chart.lines) svg += line_svg(line, frame);
  svg += events_svg(chart, frame) + "</svg>";
  std::string note = chart.note;
  if (std::any_of(chart.lines.begin(), chart.lines.end(), is_thinned))
    note += std::string(note.empty() ? "" : " ") +
            "Each point stands for several reports: the line is their mean, the area reaches from "
            "their least to their largest value.";
  return fmt::format(
      "<figure class=\"chart\" id=\"{}\"><figcaption>{}</figcaption>{}{}<div "
      "class=\"plot\">{}</div>{}</figure>\n",
      chart.id, escaped(chart.title), legend_html(chart), "", svg,
      note.empty() ? "" : fmt::format("<p class=\"note\">{}</p>", escaped(note)));
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
