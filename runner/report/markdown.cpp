#include "runner/report/markdown.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "runner/report/comparison_page.h"
#include "runner/report/html.h"
#include "runner/report/predictions.h"
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
constexpr std::size_t kMostRowsOfPredictions = 5;
constexpr std::size_t kMostNamedMistakes = 5;
constexpr std::size_t kMostQuotedTexts = 5;
constexpr std::size_t kLongestCell = 200;          // bytes
constexpr std::size_t kLongestQuotedText = 2'000;  // bytes

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

/// Returns the beginning of a text of a run, for a cell of a table.
std::string cell(const std::string& text) {
  const bool is_long = text.size() > kLongestCell;
  return markdown(is_long ? text.substr(0, kLongestCell) + "…" : text);
}

std::string class_cell(const track::Predictions& all, std::uint64_t number) {
  return cell(number < all.names.size() ? all.names[number] : std::to_string(number));
}

/// Returns a table of predictions, without the columns in which no row has anything.
std::string prediction_table(const std::string& title,
                             const std::vector<track::Prediction>& predictions) {
  std::vector<std::string> titles{"sample", "loss",      "confidence",
                                  "true",   "predicted", "what it saw"};
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < std::min(predictions.size(), kMostRowsOfPredictions); ++i) {
    const track::Prediction& each = predictions[i];
    const bool has_class = !std::isnan(each.confidence);
    rows.push_back({track::grouped(each.sample), number(each.loss),
                    has_class ? fmt::format("{:.1f} %", 100 * each.confidence) : "",
                    cell(each.target), cell(each.predicted), cell(each.text)});
  }
  if (rows.empty()) return "";
  for (std::size_t c = titles.size(); c-- > 0;) {
    if (std::any_of(rows.begin(), rows.end(), [c](const auto& each) { return !each[c].empty(); }))
      continue;
    const auto place = static_cast<std::ptrdiff_t>(c);
    titles.erase(titles.begin() + place);
    for (std::vector<std::string>& cells : rows) cells.erase(cells.begin() + place);
  }
  std::string out = fmt::format("{}:\n\n{}", title, head(titles, titles.size()));
  for (const std::vector<std::string>& cells : rows) out += row(cells);
  return out + "\n";
}

/// Returns the most frequent mistakes in one line; empty without classes.
std::string mistakes_line(const track::Predictions& all) {
  std::vector<track::ClassPair> pairs = mistakes_of(all);
  pairs.resize(std::min(pairs.size(), kMostNamedMistakes));
  std::string out;
  for (const track::ClassPair& pair : pairs)
    out += fmt::format("{}{} taken for {} ({} ×)", out.empty() ? "Most frequent mistakes: " : ", ",
                       class_cell(all, pair.target), class_cell(all, pair.predicted),
                       track::grouped(pair.count));
  return out.empty() ? "" : out + ".\n\n";
}

/// Returns what the best evaluation found besides its numbers, or the last one; pictures are left
/// to the page.
std::string predictions_part(const FollowedRun& run) {
  const auto& by_step = run.predictions().by_step();
  if (by_step.empty()) return "";
  const auto& best = run.facts().best;
  auto shown = best ? by_step.find(static_cast<std::int64_t>(best->step)) : by_step.end();
  if (shown == by_step.end()) shown = std::prev(by_step.end());
  const track::Predictions& all = shown->second;
  std::string out = fmt::format(
      "<details><summary>Predictions of {} samples of the {} set at step {}</summary>\n\n",
      track::grouped(all.samples), markdown(all.set),
      track::grouped(static_cast<std::uint64_t>(shown->first)));
  out += mistakes_line(all);
  if (!all.bins.empty())
    out +=
        fmt::format("Expected calibration error {:.4f}.\n\n", track::calibration_error(all.bins));
  out += prediction_table("Largest losses", all.worst);
  return out + prediction_table("Least losses", all.best) + "</details>\n\n";
}

/// Returns the texts that the last evaluation has written.
std::string texts_part(const FollowedRun& run) {
  const std::vector<track::GeneratedText> texts = run.generated().texts();
  if (texts.empty()) return "";
  std::string out = fmt::format("<details><summary>Generated text at step {}</summary>\n\n",
                                track::grouped(texts.back().step));
  std::size_t shown = 0;
  for (const track::GeneratedText& each : texts) {
    if (each.step != texts.back().step || shown++ >= kMostQuotedTexts) continue;
    out += fmt::format("Behind “{}”:\n\n", cell(each.prompt));
    const bool is_long = each.text.size() > kLongestQuotedText;
    const std::string text = is_long ? each.text.substr(0, kLongestQuotedText) + "…" : each.text;
    // Not a block of code: within <pre> nothing is Markdown either, and HTML is escaped.
    out += fmt::format("<pre>{}</pre>\n\n", escaped(readable_text(text)));
  }
  if (shown > kMostQuotedTexts) out += fmt::format("{} more texts\n\n", shown - kMostQuotedTexts);
  return out + "</details>\n\n";
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
  out += predictions_part(run) + texts_part(run);
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
