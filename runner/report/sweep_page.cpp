#include "runner/report/sweep_page.h"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

#include "runner/report/figure.h"
#include "runner/report/html.h"
#include "runner/report/readable_text.h"
#include "runner/report/sweep_figures.h"
#include "runner/sweep/output/words.h"
#include "runner/track/short_text.h"

namespace knead::report {
namespace {

constexpr std::size_t kMostBest = 8;     // lines of the chart of the best trials
constexpr std::size_t kMostRows = 2000;  // of the table of points
constexpr std::size_t kMostFailures = 20;
constexpr std::size_t kShortId = 8;  // characters of the name of a trial's folder

std::string scrolled(const std::string& name, const std::string& text) {
  return fmt::format(
      "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{}\"><pre>{}</pre></div>",
      name, escaped(text));
}

double training_seconds(const sweep::PointResult& point) {
  return std::accumulate(point.trials.begin(), point.trials.end(), 0.0,
                         [](double sum, const sweep::Trial* each) { return sum + each->seconds; });
}

/// Returns the time from the first start of a trial to the end of the last one; 0 if not known.
double wall_seconds(const ReportedSweep& sweep) {
  double first = 0, last = 0;
  for (const auto& [id, times] : sweep.times) {
    if (times.began.empty()) continue;
    const double began = seconds_of(times.began);
    first = first == 0 ? began : std::min(first, began);
    last = std::max(last, seconds_of(times.ended));
  }
  return std::max(last - first, 0.0);
}

double all_seconds(const ReportedSweep& sweep) {
  return std::accumulate(sweep.outcome.trials.begin(), sweep.outcome.trials.end(), 0.0,
                         [](double sum, const auto& each) { return sum + each.seconds; });
}

void add_tiles(const SweepPoints& points, Page& page) {
  const sweep::Outcome& outcome = points.sweep.outcome;
  if (const auto best = sweep::best_point(points.points, outcome)) {
    page.tiles.push_back({"best " + outcome.objective.metric, points.value_words(*best),
                          fmt::format("point {}", points.points[*best].point)});
    const sweep::Trial& trial = sweep::best_trial(points.points[*best], outcome);
    page.tiles.push_back({"best trial", track::short_number(trial.best->value),
                          fmt::format("at step {}", track::grouped(trial.best->step))});
  }
  page.tiles.push_back({"points", track::grouped(points.points.size()),
                        outcome.seeds > 1 ? fmt::format("{} seeds each", outcome.seeds) : ""});
  page.tiles.push_back(
      {"trials", track::grouped(outcome.trials.size()), sweep::states_in_words(outcome.trials)});
  page.tiles.push_back({"training, all trials", track::short_duration(all_seconds(points.sweep))});
  if (const double wall = wall_seconds(points.sweep); wall > 0)
    page.tiles.push_back({"from first start to last end", track::short_duration(wall)});
}

void add_best(const SweepPoints& points, Page& page) {
  const ReportedSweep& sweep = points.sweep;
  std::string body;
  if (const std::string words = certainty_of(points); !words.empty())
    body += fmt::format("<p>{}</p>", escaped(words));
  if (!sweep.best_values.empty()) {
    Table table{.caption = "The best recipe, next to the recipe that the sweep began with",
                .columns = {{"key"}, {"best"}, {"the sweep's recipe"}},
                .rows = {}};
    for (const BestValue& each : sweep.best_values)
      table.rows.push_back(
          {{fmt::format("<code>{}</code>", escaped(each.key))},
           {fmt::format("<code>{}</code>", escaped(each.best))},
           {each.base.empty() ? "not there" : fmt::format("<code>{}</code>", escaped(each.base))}});
    body += html(table);
  }
  if (!sweep.best_recipe.empty())
    body += fmt::format(
        "<p>To train it again: <code>knead run {}</code></p><details><summary>The whole "
        "recipe</summary>{}</details>",
        escaped((sweep.folder / "best.yaml").string()),
        scrolled("The whole recipe", sweep.best_recipe));
  if (!body.empty()) page.sections.push_back({"best", "Best recipe", body});
}

/// Adds the chart of the best trials, which the script can zoom.
void add_curves(const SweepPoints& points, Page& page) {
  Chart chart{.id = "chart-0",
              .title = "The best points: " + points.sweep.outcome.objective.metric,
              .lines = {}};
  for (const std::size_t index : points.ranked) {
    if (chart.lines.size() == kMostBest) break;
    const sweep::PointResult& point = points.points[index];
    if (!point.is_comparable(points.sweep.outcome)) break;
    const sweep::Trial& trial = sweep::best_trial(point, points.sweep.outcome);
    ThinnedSeries series;
    for (const plan::Value& each : trial.objective)
      series.add({{static_cast<double>(each.step), 0, 0}, each.value});
    chart.lines.push_back(
        {fmt::format("point {}", point.point), series.columns(), chart.lines.size(), true});
  }
  page.data["runs"].push_back({{"name", points.sweep.outcome.name},
                               {"steps", nlohmann::ordered_json::array()},
                               {"epochs", nlohmann::ordered_json::array()},
                               {"seconds", nlohmann::ordered_json::array()}});
  if (!chart.lines.empty()) page.data["charts"].push_back(chart_json(chart));
  page.sections.push_back(
      {"curves", "Curves",
       fmt::format("<div class=\"controls\"></div><div class=\"charts\">{}{}{}</div>",
                   chart.lines.empty() ? "" : html(chart), trial_figure(points),
                   search_figure(points))});
}

void add_keys(const SweepPoints& points, Page& page) {
  const auto ranked = ranked_keys(points);
  std::vector<std::size_t> order;
  for (const auto& [key, share] : ranked) order.push_back(key);
  for (std::size_t k = 0; order.size() < points.axes.size() && k < points.axes.size(); ++k)
    if (std::find(order.begin(), order.end(), k) == order.end()) order.push_back(k);
  std::string body =
      "<p class=\"scale\">Colours go by rank: <span class=\"ramp\" aria-hidden=\"true\"></span> "
      "from the best to the worst point; grey without a value.</p>" +
      parallel_figure(points);
  if (!ranked.empty()) {
    Table table{.caption = "Importance of the keys",
                .columns = {{"key"}, {"share", true}, {"of the variance of ranks"}},
                .rows = {}};
    for (const auto& [key, share] : ranked)
      table.rows.push_back({{fmt::format("<code>{}</code>", escaped(points.axes[key].key()))},
                            {fmt::format("{:.2f}", share)},
                            {bar_svg(share)}});
    body += "<h3>Importance</h3>" + html(table) +
            fmt::format("<p class=\"note\">{}</p>", escaped(importance_note(points.with_value())));
  }
  body += "<h3>Slices</h3>" + slice_figures(points, order);
  page.sections.push_back({"keys", "Keys", body});
}

std::string state_words(const sweep::PointResult& point) {
  return std::string(to_string(point.state));
}

/// Returns how many expectations a point does not meet.
std::string expectation_words(const SweepPoints& points, std::size_t point) {
  const auto found = points.sweep.expectations.find(points.points[point].point);
  if (found == points.sweep.expectations.end() || found->second.empty()) return "–";
  const auto unmet = std::count_if(found->second.begin(), found->second.end(),
                                   [](const plan::Judgement& each) { return !each.met; });
  return unmet == 0 ? "met" : fmt::format("{} not met", unmet);
}

void add_points(const SweepPoints& points, Page& page) {
  const bool has_expectations =
      std::any_of(points.sweep.expectations.begin(), points.sweep.expectations.end(),
                  [](const auto& each) { return !each.second.empty(); });
  Table table{.caption = fmt::format("{} points, the best first", points.points.size()),
              .columns = {{"point", true}},
              .rows = {}};
  table.is_sortable = table.is_tight = true;
  for (const KeyAxis& axis : points.axes) table.columns.push_back({axis.key(), axis.is_number()});
  table.columns.insert(table.columns.end(), {{points.sweep.outcome.objective.metric, true},
                                             {"best step", true},
                                             {"state"},
                                             {"time", true}});
  if (has_expectations) table.columns.push_back({"expectations"});
  table.columns.push_back({"trials"});
  const auto best = sweep::best_point(points.points, points.sweep.outcome);
  for (const std::size_t index : points.ranked) {
    if (table.rows.size() == kMostRows) break;
    const sweep::PointResult& point = points.points[index];
    std::vector<Cell> row{{std::to_string(point.point)}};
    for (const std::string& value : points.values[index]) {
      const auto number = number_in(value);
      row.push_back(number ? Cell{fmt::format("{:.4g}", *number), fmt::format("{:.9g}", *number)}
                           : Cell{escaped(value)});
    }
    const sweep::Trial& first = *point.trials.front();
    row.push_back({escaped(points.value_words(index)),
                   point.mean ? fmt::format("{:.9g}", *point.mean) : "NaN"});
    row.push_back({first.best ? std::to_string(first.best->step) : "–"});
    row.push_back({state_words(point)});
    row.push_back({track::short_duration(std::max(training_seconds(point), 0.0)),
                   fmt::format("{:.4g}", training_seconds(point))});
    if (has_expectations) row.push_back({expectation_words(points, index)});
    std::string trials;
    for (const sweep::Trial* trial : point.trials)
      trials += fmt::format("{}<code>{}</code>", trials.empty() ? "" : " ",
                            escaped(trial->name.id.substr(0, kShortId)));
    row.push_back({trials});
    table.rows.push_back(std::move(row));
    table.row_marks.push_back(index);
    table.row_classes.push_back(best == index                              ? "best"
                                : point.state == sweep::TrialState::failed ? "bad"
                                                                           : "");
  }
  if (table.rows.size() < points.points.size())
    table.caption += fmt::format("; the first {} are shown", kMostRows);
  page.sections.push_back({"points", "Points", html(table)});
}

void add_cost(const SweepPoints& points, Page& page) {
  using State = sweep::TrialState;
  const double all = all_seconds(points.sweep);
  Table table{.caption = "What the trials took, by how they stand",
              .columns = {{"state"}, {"trials", true}, {"training", true}, {"share", true}, {""}},
              .rows = {}};
  for (const State state : {State::finished, State::pruned, State::failed, State::stopped,
                            State::running, State::waiting}) {
    std::size_t count = 0;
    double seconds = 0;
    for (const sweep::Trial& trial : points.sweep.outcome.trials) {
      if (trial.state != state) continue;
      ++count;
      seconds += std::max(trial.seconds, 0.0);
    }
    if (count == 0) continue;
    const double share = all > 0 ? seconds / all : 0;
    table.rows.push_back({{std::string(to_string(state))},
                          {track::grouped(count)},
                          {track::short_duration(seconds)},
                          {fmt::format("{:.1f} %", 100 * share)},
                          {bar_svg(share)}});
  }
  page.sections.push_back({"cost", "Time and cost", html(table) + timeline_figure(points)});
}

void add_failures(const SweepPoints& points, Page& page) {
  std::string list;
  std::size_t count = 0;
  for (const sweep::Trial& trial : points.sweep.outcome.trials) {
    if (trial.state != sweep::TrialState::failed || ++count > kMostFailures) continue;
    std::string lines;
    for (const std::string& line : trial.last_lines) lines += line + "\n";
    list += fmt::format("<li><code>{}</code> {}{}</li>", escaped(trial.name.id),
                        escaped(sweep::failure_in_words(trial)),
                        lines.empty() ? "" : scrolled("Last lines of the trial", lines));
  }
  if (count == 0) return;
  if (count > kMostFailures) list += fmt::format("<li>{} more</li>", count - kMostFailures);
  page.sections.push_back({"failures", "Failed trials", "<ul>" + list + "</ul>"});
}

}  // namespace

Page sweep_page(const ReportedSweep& sweep) {
  const SweepPoints points(sweep);
  Page page{.title = "Sweep " + sweep.outcome.name, .kind = "sweep", .verdict = verdict_of(points)};
  page.notes = sweep.notes;
  add_tiles(points, page);
  add_best(points, page);
  add_failures(points, page);
  add_curves(points, page);
  add_keys(points, page);
  add_points(points, page);
  add_cost(points, page);
  return page;
}

}  // namespace knead::report
