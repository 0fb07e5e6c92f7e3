// The figure of a sweep that shows when trials were trained.

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "runner/report/figure.h"
#include "runner/report/sweep_figures.h"

namespace knead::report {
namespace {

/// Says which colour of the timeline stands for which state.
std::string states_legend(const std::set<sweep::TrialState>& states) {
  std::string out = "<ul class=\"legend\">";
  for (const sweep::TrialState state : states)
    out += fmt::format(
        "<li><svg class=\"key\" width=\"14\" height=\"10\" aria-hidden=\"true\"><rect "
        "class=\"t-{0}\" width=\"14\" height=\"10\"/></svg><span>{0}</span></li>",
        to_string(state));
  return out + "</ul>";
}

/// A trial of the timeline.
struct Bar {
  double began = 0;  // seconds
  double ended = 0;  // at least one later: times are whole seconds
  std::size_t point = 0;
  sweep::TrialState state = sweep::TrialState::waiting;
  std::size_t lane = 0;
};

std::vector<Bar> bars_of(const SweepPoints& points) {
  std::vector<Bar> bars;
  for (std::size_t i = 0; i < points.points.size(); ++i) {
    for (const sweep::Trial* trial : points.points[i].trials) {
      const auto times = points.sweep.times.find(trial->name.id);
      if (times == points.sweep.times.end() || times->second.began.empty()) continue;
      const double began = seconds_of(times->second.began);
      bars.push_back({.began = began,
                      .ended = std::max(seconds_of(times->second.ended), began + 1),
                      .point = i,
                      .state = trial->state});
    }
  }
  std::stable_sort(bars.begin(), bars.end(),
                   [](const Bar& a, const Bar& b) { return a.began < b.began; });
  return bars;
}

/// Gives each bar the first lane that is free when it begins. Returns the number of lanes.
std::size_t place_in_lanes(std::vector<Bar>& bars) {
  std::vector<double> ends;
  for (Bar& bar : bars) {
    const auto free =
        std::find_if(ends.begin(), ends.end(), [&](double end) { return end <= bar.began; });
    bar.lane = static_cast<std::size_t>(free - ends.begin());
    if (free == ends.end()) ends.push_back(0);
    ends[bar.lane] = bar.ended;
  }
  return ends.size();
}

}  // namespace

std::string timeline_figure(const SweepPoints& points) {
  std::vector<Bar> bars = bars_of(points);
  if (bars.empty()) return "";
  const std::size_t lanes = place_in_lanes(bars);
  const double first = bars.front().began;
  double last = first;
  for (const Bar& bar : bars) last = std::max(last, bar.ended);
  const double row = std::clamp(360.0 / static_cast<double>(lanes), 0.6, 14.0);
  const Frame frame{.width = 1160, .height = 44 + row * static_cast<double>(lanes), .left = 12};
  const Scale x{
      .low = 0, .high = last - first, .from = frame.left, .to = frame.width - frame.right};
  const bool is_long = x.high > 7200;
  const char* const unit = is_long ? "hours" : x.high > 300 ? "minutes" : "seconds";
  Scale units = x;
  units.high /= is_long ? 3600 : x.high > 300 ? 60 : 1;
  Shapes shapes;
  std::set<sweep::TrialState> states;
  for (const Bar& bar : bars) {
    states.insert(bar.state);
    const double at = x.place(bar.began - first);
    const double width = x.place(bar.ended - first) - at;
    const double y = frame.top + row * static_cast<double>(bar.lane);
    shapes.add(
        "t-" + std::string(to_string(bar.state)),
        fmt::format("<rect x=\"{}\" y=\"{:.2f}\" width=\"{}\" height=\"{:.2f}\" data-t=\"{}\"/>",
                    place_text(at), y, place_text(std::max(width - 0.5, 0.5)), row * 0.85,
                    bar.point));
  }
  return states_legend(states) +
         figure(frame, "When trials were trained, from the first start to the last line of the log",
                x_axis(frame, units, fmt::format("{} since the first start", unit)) + shapes.svg(),
                "wide scrolls");
}

}  // namespace knead::report
