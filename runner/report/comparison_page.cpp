#include "runner/report/comparison_page.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "runner/report/html.h"
#include "runner/report/readable_text.h"
#include "runner/report/run_page.h"
#include "runner/track/short_text.h"

namespace knead::report {
namespace {

constexpr std::size_t kMostCharts = 40;

/// Returns the best value of the metric that the runs share.
std::optional<plan::Value> best_of(const FollowedRun& run, const plan::Objective& monitor) {
  return plan::best_value(run.evaluations(), monitor);
}

/// Returns the index of the run with the best value of a metric; std::nullopt if none has it.
std::optional<std::size_t> best_run(const std::vector<FollowedRun>& runs,
                                    const plan::Objective& monitor) {
  std::optional<std::size_t> best;
  std::optional<plan::Value> value;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto found = best_of(runs[i], monitor);
    if (!found) continue;
    const bool is_low = monitor.goal == plan::Goal::low;
    if (value && (is_low ? found->value >= value->value : found->value <= value->value)) continue;
    best = i;
    value = found;
  }
  return best;
}

Cell number_cell(double number) {
  if (std::isnan(number)) return {"–"};
  return {track::short_number(number), fmt::format("{}", number)};
}

Cell value_cell(const std::optional<plan::Value>& value) {
  return number_cell(value ? value->value : NAN);
}

void add_runs(const std::vector<FollowedRun>& runs, const std::vector<std::string>& names,
              Page& page) {
  const plan::Objective monitor = shared_monitor(runs);
  const auto best = best_run(runs, monitor);
  Table table{.caption = "The runs", .columns = {{"run"}, {"state"}, {"step", true}}, .rows = {}};
  table.is_sortable = true;
  const std::string metric = monitor.metric.empty() ? "metric" : monitor.metric;
  for (const std::string& title : {"best " + metric, std::string("at step"), "last " + metric,
                                   std::string("train/loss"), std::string("time")})
    table.columns.push_back({title, true});
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const RunFacts& facts = runs[i].facts();
    const auto value = best_of(runs[i], monitor);
    const double time = runs[i].curves().last_number("time");
    const std::string state(run::to_string(facts.state));
    table.rows.push_back(
        {{fmt::format("{}{}", escaped(names[i]),
                      best == i ? " <span class=\"badge good\">best</span>" : "")},
         {state},
         {track::grouped(facts.step), std::to_string(facts.step)},
         value_cell(value),
         {value ? track::grouped(value->step) : "–", value ? std::to_string(value->step) : ""},
         value_cell(plan::last_value(runs[i].evaluations(), monitor.metric)),
         number_cell(runs[i].curves().last_number("loss")),
         time >= 0 ? Cell{track::short_duration(time), fmt::format("{}", time)} : Cell{"–"}});
    table.row_classes.push_back(best == i ? "best" : "");
  }
  page.sections.push_back({"runs", "Runs", html(table)});
  page.verdict = fmt::format("{} runs", runs.size());
  if (best)
    page.verdict +=
        fmt::format("; best {} {} by {}", monitor.metric,
                    track::short_number(best_of(runs[*best], monitor)->value), names[*best]);
  page.verdict += ".";
}

/// Returns a chart with a line for each run that has the number.
class Charts {
 public:
  explicit Charts(const std::vector<std::string>& names) : names_(names) {}

  void add(const std::string& title, std::size_t run, const ThinnedSeries& series, bool has_marks) {
    if (series.points() == 0) return;
    const auto [place, is_new] = places_.emplace(title, charts_.size());
    if (is_new && charts_.size() == kMostCharts) return;
    if (is_new)
      charts_.push_back({.id = fmt::format("chart-{}", charts_.size()),
                         .title = chart_title(title),
                         .lines = {}});
    if (place->second >= charts_.size()) return;
    charts_[place->second].lines.push_back({names_[run], series.columns(), run, has_marks, run});
  }

  const std::vector<Chart>& charts() const { return charts_; }

 private:
  const std::vector<std::string>& names_;
  std::vector<Chart> charts_;
  std::map<std::string, std::size_t> places_;
};

/// Returns the evaluations of a run by set and metric.
std::map<std::string, ThinnedSeries> evaluated_series(const FollowedRun& run, std::size_t columns) {
  std::map<std::string, ThinnedSeries> series;
  for (const plan::Evaluation& each : run.evaluations()) {
    const Position at = run.curves().position_of(static_cast<double>(each.step));
    for (const auto& [name, value] : each.values)
      series.try_emplace(each.set + "/" + name, columns).first->second.add({at, value});
  }
  return series;
}

void add_overlaid(const std::vector<FollowedRun>& runs, const std::vector<std::string>& names,
                  Page& page) {
  Charts charts(names);
  const std::size_t columns = columns_for(runs.size());
  // The loss and what is evaluated first, rates and norms below.
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (const ThinnedSeries* loss = runs[i].curves().find("loss"))
      charts.add("train/loss", i, *loss, false);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (const auto& [name, series] : evaluated_series(runs[i], columns))
      charts.add(name, i, series, true);
  }
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (const Curve& curve : runs[i].curves().curves())
      if (curve.name != "loss" && curve.name != "skipped")
        charts.add(curve.name, i, curve.series, false);
  }
  add_charts(page, "Curves", charts.charts());
}

void add_differences(const std::vector<FollowedRun>& runs, const std::vector<std::string>& names,
                     Page& page) {
  std::vector<const StoredRecipe*> recipes;
  for (const FollowedRun& run : runs) recipes.push_back(&run.facts().recipe);
  const std::vector<Difference> found = differences(recipes);
  if (found.empty()) {
    page.sections.push_back(
        {"differences", "Differences", "<p>The recipes of these runs have the same values.</p>"});
    return;
  }
  Table table{
      .caption = "The keys of the recipes whose values differ", .columns = {{"key"}}, .rows = {}};
  for (const std::string& name : names) table.columns.push_back({name});
  for (const Difference& each : found) {
    std::vector<Cell> row{{fmt::format("<code>{}</code>", escaped(each.path))}};
    for (const std::string& value : each.values)
      row.push_back({value.empty() ? "–" : fmt::format("<code>{}</code>", escaped(value))});
    table.rows.push_back(std::move(row));
  }
  page.sections.push_back({"differences", "Differences", html(table)});
}

}  // namespace

std::size_t columns_for(std::size_t runs) {
  return std::clamp<std::size_t>(1500 / std::max<std::size_t>(runs, 1), 30, 512);
}

std::vector<std::string> distinct_names(const std::vector<FollowedRun>& runs) {
  std::vector<std::string> names;
  std::map<std::string, int> counts;
  for (const FollowedRun& run : runs) ++counts[run.facts().name];
  std::set<std::string> taken;
  for (const FollowedRun& run : runs) {
    std::string name = run.facts().name;
    if (counts[name] > 1) name = readable_text(run.folder().lexically_normal().string());
    std::string distinct = name;
    for (int n = 2; !taken.insert(distinct).second; ++n) distinct = fmt::format("{} ({})", name, n);
    names.push_back(distinct);
  }
  return names;
}

plan::Objective shared_monitor(const std::vector<FollowedRun>& runs) {
  std::map<std::string, std::size_t> counts;
  plan::Objective most("");
  for (const FollowedRun& run : runs) {
    const plan::Objective& monitor = run.facts().monitor;
    if (!monitor.metric.empty() && ++counts[monitor.metric] > counts[most.metric]) most = monitor;
  }
  return most;
}

Page comparison_page(const std::vector<FollowedRun>& runs) {
  const std::vector<std::string> names = distinct_names(runs);
  Page page{.title = fmt::format("{} runs", runs.size()), .kind = "runs", .verdict = ""};
  std::string subtitle;
  for (std::size_t i = 0; i < std::min<std::size_t>(names.size(), 8); ++i)
    subtitle += (i == 0 ? "" : ", ") + names[i];
  page.subtitle = subtitle + (names.size() > 8 ? ", …" : "");
  for (std::size_t i = 0; i < runs.size(); ++i) {
    page.data["runs"].push_back(axes_json(names[i], runs[i].curves()));
    for (const std::string& note : runs[i].facts().notes)
      page.notes.push_back(names[i] + ": " + note);
  }
  add_runs(runs, names, page);
  add_overlaid(runs, names, page);
  add_differences(runs, names, page);
  return page;
}

}  // namespace knead::report
