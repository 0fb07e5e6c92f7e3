#include "runner/report/sweep_figures.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "runner/report/figure.h"
#include "runner/report/html.h"
#include "runner/report/thinned_series.h"
#include "runner/track/short_text.h"

namespace knead::report {
namespace {

constexpr std::size_t kMostSlices = 12;
constexpr std::size_t kMostPointsOfLine = 30;  // of a trial; a page of 1,000 trials stays small
constexpr std::size_t kLongestMark = 14;

std::string dot(double x, double y, std::size_t point) {
  return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"3.5\" data-t=\"{}\"/>", place_text(x),
                     place_text(y), point);
}

std::string shortened(const std::string& text) {
  if (text.size() <= kLongestMark) return text;
  std::size_t end = kLongestMark - 1;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

std::string objective_name(const SweepPoints& points) {
  return points.sweep.outcome.objective.metric;
}

/// Returns the scale of the objective from the bottom of a frame to its top.
Scale upright(Scale scale, const Frame& frame) {
  scale.from = frame.bottom();
  scale.to = frame.top;
  return scale;
}

/// Returns an upright axis of the parallel coordinates at x. The texts of the last one stand to its
/// right, where no line ends.
std::string parallel_axis(double x, const Frame& frame, const std::string& name,
                          const std::vector<std::pair<double, std::string>>& marks, bool is_last) {
  std::string out =
      fmt::format("<path d=\"M{0} {1}V{2}\"/><text class=\"x name\" x=\"{0}\" y=\"{3}\">{4}</text>",
                  place_text(x), frame.top, frame.bottom(), frame.top - 12, escaped(name));
  for (const auto& [place, text] : marks)
    out += fmt::format("<text{} x=\"{}\" y=\"{}\" dy=\".32em\">{}</text>",
                       is_last ? " class=\"right\"" : "", place_text(is_last ? x + 5 : x - 5),
                       place_text(frame.bottom() - place * (frame.bottom() - frame.top)),
                       escaped(shortened(text)));
  return out;
}

std::vector<std::pair<double, std::string>> marks_of(const Scale& scale, std::size_t most) {
  std::vector<std::pair<double, std::string>> marks;
  for (const Tick& tick : ticks(scale, most))
    marks.emplace_back(scale.place(tick.value), tick.text);
  return marks;
}

}  // namespace

std::string parallel_figure(const SweepPoints& points) {
  const Frame frame{.width = 1160, .height = 340, .left = 90, .right = 70, .top = 34, .below = 16};
  const std::size_t axes = points.axes.size() + 1;
  const auto x_of = [&](std::size_t axis) {
    return frame.left + (frame.width - frame.left - frame.right) * static_cast<double>(axis) /
                            static_cast<double>(std::max<std::size_t>(axes - 1, 1));
  };
  const Scale objective = points.objective_scale();
  std::string svg = "<g class=\"axes halo\">";
  for (std::size_t k = 0; k < points.axes.size(); ++k)
    svg += parallel_axis(x_of(k), frame, points.axes[k].key(), points.axes[k].marks(7), false);
  svg +=
      parallel_axis(x_of(axes - 1), frame, objective_name(points), marks_of(objective, 7), true) +
      "</g>";
  Shapes lines;
  for (std::size_t i = 0; i < points.points.size(); ++i) {
    if (!points.points[i].mean) continue;
    std::string path = "M";
    for (std::size_t k = 0; k < axes; ++k) {
      const double place = k + 1 < axes ? points.axes[k].place(points.values[i][k])
                                        : objective.place(*points.points[i].mean);
      path += fmt::format("{} {}L", place_text(x_of(k)),
                          place_text(frame.bottom() - place * (frame.bottom() - frame.top)));
    }
    path.pop_back();
    lines.add(points.style(i), fmt::format("<path d=\"{}\" data-t=\"{}\"/>", path, i));
  }
  return figure(frame, "Parallel coordinates: a line for each point, across its values",
                "<g class=\"threads\">" + lines.svg() + "</g>" + svg, "wide scrolls");
}

std::string slice_figures(const SweepPoints& points, const std::vector<std::size_t>& keys) {
  const Frame frame{.width = 380, .height = 230};
  const Scale objective = upright(points.objective_scale(), frame);
  std::string out = "<div class=\"charts small\">";
  for (std::size_t n = 0; n < std::min(keys.size(), kMostSlices); ++n) {
    const KeyAxis& axis = points.axes[keys[n]];
    const auto x_of = [&](double place) {
      return frame.left + place * (frame.width - frame.left - frame.right);
    };
    std::string svg = y_axis(frame, objective, 5);
    svg += "<g class=\"axes\">";
    for (const auto& [place, text] : axis.marks(5))
      svg += x_text(frame, x_of(place), shortened(text));
    svg += "</g>";
    Shapes dots;
    for (std::size_t i = 0; i < points.points.size(); ++i) {
      if (!points.points[i].mean) continue;
      dots.add(points.style(i), dot(x_of(axis.place(points.values[i][keys[n]])),
                                    objective.place(*points.points[i].mean), i));
    }
    out += figure(frame,
                  fmt::format("{} over {}{}", objective_name(points), axis.key(),
                              axis.is_log() ? " (logarithmic)" : ""),
                  svg + dots.svg());
  }
  return out + "</div>";
}

std::string search_figure(const SweepPoints& points) {
  const Frame frame{.width = 560, .height = 250};
  const Scale y = upright(points.objective_scale(), frame);
  Scale x = scale_over(0, static_cast<double>(std::max<std::size_t>(points.points.size(), 2) - 1));
  x.from = frame.left, x.to = frame.width - frame.right;
  const bool is_low = points.sweep.outcome.objective.goal == plan::Goal::low;
  Shapes dots;
  std::string best_path;
  std::optional<double> best;
  for (std::size_t i = 0; i < points.points.size(); ++i) {
    const auto& mean = points.points[i].mean;
    if (!mean) continue;
    const double at = x.place(static_cast<double>(i));
    dots.add(points.style(i), dot(at, y.place(*mean), i));
    if (!points.points[i].is_comparable(points.sweep.outcome)) continue;
    if (best && (is_low ? *mean >= *best : *mean <= *best)) continue;
    best = *mean;
    best_path +=
        fmt::format("{}{}V{}", best_path.empty() ? "M" : "H",
                    place_text(at) + (best_path.empty() ? " " + place_text(y.place(*best)) : ""),
                    place_text(y.place(*best)));
  }
  if (!best_path.empty()) best_path += "H" + place_text(frame.width - frame.right);
  return figure(frame, "The search: points in their order, and the best so far",
                y_axis(frame, y, 6) + x_axis(frame, x, "point") +
                    fmt::format("<g class=\"s2\"><path class=\"line\" d=\"{}\"/></g>", best_path) +
                    dots.svg());
}

std::string trial_figure(const SweepPoints& points) {
  const Frame frame{.width = 560, .height = 250};
  double last = 1;
  double least = std::numeric_limits<double>::infinity(), largest = -least;
  for (const sweep::Trial& trial : points.sweep.outcome.trials) {
    for (const plan::Value& each : trial.objective) {
      last = std::max(last, static_cast<double>(each.step));
      if (!std::isfinite(each.value)) continue;
      least = std::min(least, each.value);
      largest = std::max(largest, each.value);
    }
  }
  const Scale y = upright(scale_over(least, largest, least > 0 && largest / least > 20), frame);
  const Scale x{.low = 0, .high = last, .from = frame.left, .to = frame.width - frame.right};
  Shapes lines, dots;
  for (std::size_t i = 0; i < points.points.size(); ++i) {
    for (const sweep::Trial* trial : points.points[i].trials) {
      ThinnedSeries series(kMostPointsOfLine / 2);
      for (const plan::Value& each : trial->objective)
        series.add({{static_cast<double>(each.step), 0, 0}, each.value});
      std::string path = "M";
      for (const Column& column : series.columns())
        path += fmt::format("{} {}L", place_text(x.place(column.middle().step)),
                            place_text(y.place(column.mean())));
      path.pop_back();
      if (series.columns().empty()) continue;
      if (series.columns().size() == 1) {
        const Column& only = series.columns().front();
        dots.add(points.style(i), dot(x.place(only.middle().step), y.place(only.mean()), i));
        continue;
      }
      lines.add(points.style(i), fmt::format("<path d=\"{}\" data-t=\"{}\"/>", path, i));
    }
  }
  return figure(frame, "All trials: " + objective_name(points) + " over steps",
                y_axis(frame, y, 6) + x_axis(frame, x, "step") + "<g class=\"threads\">" +
                    lines.svg() + "</g>" + dots.svg());
}

}  // namespace knead::report
