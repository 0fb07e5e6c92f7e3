#include "runner/report/markdown.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "runner/report/comparison_page.h"
#include "runner/report/readable_text.h"
#include "runner/report/run_page.h"
#include "runner/report/sweep_page.h"
#include "runner/sweep/output/words.h"
#include "runner/track/markdown.h"
#include "runner/track/short_text.h"
#include "runner/track/sparkline.h"

namespace knead::report {
namespace {

constexpr std::size_t kMostTableRows = 20;
constexpr std::size_t kMostDifferences = 40;

std::string markdown(const std::string& text) { return track::markdown_text(readable_text(text)); }

std::string row(const std::vector<std::string>& cells) {
  std::string out = "|";
  for (const std::string& cell : cells) out += " " + cell + " |";
  return out + "\n";
}

/// Returns the first two lines of a table. Columns from `first_number` on are aligned right.
std::string head(const std::vector<std::string>& titles, std::size_t first_number) {
  std::vector<std::string> lines(titles.size(), "---");
  for (std::size_t i = first_number; i < lines.size(); ++i) lines[i] = "---:";
  return row(titles) + row(lines);
}

std::string number(double value) { return std::isnan(value) ? "–" : track::short_number(value); }

std::string mark_of(run::RunState state) {
  switch (state) {
    case run::RunState::finished: return "✅ ";
    case run::RunState::failed:
    case run::RunState::unreadable: return "❌ ";
    case run::RunState::running: return "⏳ ";
    default: return "⏸ ";
  }
}

std::string curve_rows(const std::vector<Chart>& charts) {
  std::string out;
  for (const Chart& chart : charts) {
    for (const ChartLine& line : chart.lines) {
      if (line.columns.empty()) continue;
      track::Sparkline curve;
      double least = line.columns.front().least, largest = least;
      for (const Column& column : line.columns) {
        curve.add(column.mean());
        least = std::min(least, column.least);
        largest = std::max(largest, column.largest);
      }
      out += row({markdown(line.name), curve.text(), number(line.columns.front().mean()),
                  number(line.columns.back().mean()), number(least), number(largest)});
    }
  }
  return out;
}

std::string notes_of(const std::vector<std::string>& notes) {
  std::string out;
  for (const std::string& note : notes) out += "> " + markdown(note) + "\n>\n";
  return out.empty() ? "" : out + "\n";
}

}  // namespace

std::string run_markdown(const FollowedRun& run) {
  const RunFacts& facts = run.facts();
  std::string out =
      fmt::format("## Run {}: {}{}\n\n{}\n\n", markdown(facts.name), mark_of(facts.state),
                  run::to_string(facts.state), markdown(verdict_of(run)));
  out += notes_of(facts.notes);
  for (const std::string& sentence : run.log().expectations())
    out += fmt::format("- {} {}\n", sentence.ends_with(", met") ? "✅" : "❌", markdown(sentence));
  if (!run.log().expectations().empty()) out += "\n";
  const std::string curves = curve_rows(charts_of(run));
  if (!curves.empty())
    out += head({"", "curve", "first", "last", "least", "largest"}, 2) + curves + "\n";
  std::string values;
  for (const RecipeKey& key : facts.recipe.keys)
    if (key.origin != "default")
      values += row({markdown(key.path), markdown(key.value), markdown(key.origin)});
  if (!values.empty())
    out += "<details><summary>What the recipe says</summary>\n\n" +
           head({"key", "value", "comes from"}, 3) + values + "\n</details>\n";
  return out;
}

std::string comparison_markdown(const std::vector<FollowedRun>& runs) {
  const std::vector<std::string> names = distinct_names(runs);
  const plan::Objective monitor = shared_monitor(runs);
  std::string out = fmt::format("## {} runs\n\n", runs.size());
  const std::string metric = markdown(monitor.metric.empty() ? "metric" : monitor.metric);
  out += head({"run", "state", "step", "best " + metric, "at step", "last " + metric, "train/loss"},
              2);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto best = plan::best_value(runs[i].evaluations(), monitor);
    const auto last = plan::last_value(runs[i].evaluations(), monitor.metric);
    out += row({markdown(names[i]), std::string(run::to_string(runs[i].facts().state)),
                track::grouped(runs[i].facts().step), number(best ? best->value : NAN),
                best ? track::grouped(best->step) : "–", number(last ? last->value : NAN),
                number(runs[i].curves().last_number("loss"))});
  }
  std::vector<const StoredRecipe*> recipes;
  for (const FollowedRun& run : runs) recipes.push_back(&run.facts().recipe);
  std::vector<Difference> differing = differences(recipes);
  if (differing.empty()) return out + "\nTheir recipes have the same values.\n";
  std::vector<std::string> titles{"key"};
  for (const std::string& name : names) titles.push_back(markdown(name));
  out += "\n### Differences\n\n" + head(titles, titles.size());
  const std::size_t all = differing.size();
  differing.resize(std::min(all, kMostDifferences));
  for (const Difference& each : differing) {
    std::vector<std::string> cells{markdown(each.path)};
    for (const std::string& value : each.values)
      cells.push_back(value.empty() ? "–" : markdown(value));
    out += row(cells);
  }
  if (all > differing.size()) out += fmt::format("\n{} more keys\n", all - differing.size());
  return out;
}

namespace {

/// Returns the sentences of expectations that points do not meet.
std::string unmet_list(const SweepPoints& points) {
  std::string out;
  std::size_t count = 0;
  for (const std::size_t index : points.ranked) {
    const auto found = points.sweep.expectations.find(points.points[index].point);
    if (found == points.sweep.expectations.end()) continue;
    for (const plan::Judgement& each : found->second)
      if (!each.met && ++count <= kMostTableRows)
        out += fmt::format("- point {}: {}\n", points.points[index].point, markdown(each.sentence));
  }
  if (count > kMostTableRows) out += fmt::format("- {} more\n", count - kMostTableRows);
  return out.empty() ? "" : "\n### Expectations that are not met\n\n" + out;
}

std::string failed_list(const SweepPoints& points) {
  std::string out;
  std::size_t count = 0;
  for (const sweep::Trial& trial : points.sweep.outcome.trials) {
    if (trial.state != sweep::TrialState::failed || ++count > kMostTableRows) continue;
    out += fmt::format("- {}: {}\n", markdown(trial.name.id),
                       markdown(sweep::failure_in_words(trial)));
  }
  if (count > kMostTableRows) out += fmt::format("- {} more\n", count - kMostTableRows);
  return out.empty() ? "" : "\n### Failed trials\n\n" + out;
}

std::string points_table(const SweepPoints& points) {
  std::vector<std::string> titles{"point"};
  for (const KeyAxis& axis : points.axes) titles.push_back(markdown(axis.key()));
  titles.insert(titles.end(), {markdown(points.sweep.outcome.objective.metric), "state"});
  std::string out = "\n### Points\n\n" + head(titles, titles.size());
  const std::size_t shown = std::min(points.ranked.size(), kMostTableRows);
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t index = points.ranked[i];
    std::vector<std::string> cells{std::to_string(points.points[index].point)};
    for (const std::string& value : points.values[index]) cells.push_back(markdown(value));
    cells.push_back(points.value_words(index));
    cells.emplace_back(to_string(points.points[index].state));
    out += row(cells);
  }
  if (points.ranked.size() > shown)
    out += fmt::format("\n{} more points\n", points.ranked.size() - shown);
  return out;
}

}  // namespace

std::string sweep_markdown(const ReportedSweep& sweep) {
  const SweepPoints points(sweep);
  std::string out = fmt::format("## Sweep {}\n\n{}\n\n{}\n\n", markdown(sweep.outcome.name),
                                markdown(verdict_of(points)), markdown(certainty_of(points)));
  out += notes_of(sweep.notes);
  if (!sweep.best_values.empty()) {
    out += "### Best recipe\n\n" + head({"key", "best", "the sweep's recipe"}, 3);
    for (const BestValue& each : sweep.best_values)
      out += row({markdown(each.key), markdown(each.best),
                  each.base.empty() ? "not there" : markdown(each.base)});
  }
  out += points_table(points);
  if (const auto keys = ranked_keys(points); !keys.empty()) {
    out += "\n### Importance\n\n" + head({"key", "share"}, 1);
    for (const auto& [key, share] : keys)
      out += row({markdown(points.axes[key].key()), fmt::format("{:.2f}", share)});
    out += "\n" + markdown(importance_note(points.with_value())) + "\n";
  }
  return out + unmet_list(points) + failed_list(points);
}

}  // namespace knead::report
