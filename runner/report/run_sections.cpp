#include "runner/report/run_sections.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/report/generated_texts.h"
#include "runner/report/html.h"
#include "runner/report/predictions.h"
#include "runner/track/short_text.h"
#include "schema/document/byte_words.h"

namespace knead::report {
namespace {

// A longer table is cut, and says so.
constexpr std::size_t kMostEvaluations = 500;
constexpr std::string_view kExpect = "expect ", kMet = ", met";

/// Returns a duration with milliseconds where it is that short.
std::string duration_words(double seconds) {
  return seconds < 0.1 ? fmt::format("{:.3g} ms", 1000 * seconds) : track::short_duration(seconds);
}

std::string badge(const char* kind, const char* word) {
  return fmt::format(" <span class=\"badge {}\">{}</span>", kind, word);
}

void add_expectations(const FollowedRun& run, std::vector<Section>& sections) {
  const auto& sentences = run.log().expectations();
  if (sentences.empty()) return;
  std::string list = "<ul class=\"judged\">";
  for (std::string sentence : sentences) {
    // "expect validation/accuracy at least 0.88: 0.912, met"
    const bool is_met = sentence.ends_with(kMet);
    if (is_met) sentence.resize(sentence.size() - kMet.size());
    if (sentence.starts_with(kExpect)) sentence.erase(0, kExpect.size());
    list += fmt::format("<li>{} {}</li>", is_met ? badge("good", "met") : badge("bad", "not met"),
                        escaped(sentence));
  }
  sections.push_back({"expectations", "Expectations", list + "</ul>"});
}

/// Returns the names of the values of evaluations, in the order in which they appear.
std::vector<std::string> value_names(const plan::Evaluations& evaluations) {
  std::vector<std::string> names;
  for (const plan::Evaluation& each : evaluations) {
    for (const auto& [name, value] : each.values)
      if (std::find(names.begin(), names.end(), name) == names.end() &&
          names.size() < Curves::kMostCurves)
        names.push_back(name);
  }
  return names;
}

/// Returns the cells of an evaluation: step, epoch, set, values by name, seconds.
std::vector<Cell> cells_of(const plan::Evaluation& each, const std::vector<std::string>& names,
                           const FollowedRun& run, const std::string& badges) {
  const double step = static_cast<double>(each.step);
  std::vector<Cell> row{{track::grouped(each.step) + badges, std::to_string(each.step)},
                        {fmt::format("{:.2f}", run.curves().position_of(step).epoch), ""},
                        {escaped(each.set), ""}};
  for (const std::string& name : names) {
    const auto value = std::find_if(each.values.begin(), each.values.end(),
                                    [&](const auto& pair) { return pair.first == name; });
    row.push_back(value == each.values.end()
                      ? Cell{""}
                      : Cell{track::short_number(value->second), fmt::format("{}", value->second)});
  }
  row.push_back({duration_words(std::max(each.seconds, 0.0)), fmt::format("{}", each.seconds)});
  return row;
}

void add_evaluations(const FollowedRun& run, std::vector<Section>& sections) {
  const plan::Evaluations& all = run.evaluations();
  if (all.empty()) return;
  const std::vector<std::string> names = value_names(all);
  Table table{.caption = fmt::format("{} evaluations, the last one first", all.size()),
              .columns = {{"step", true}, {"epoch", true}, {"set"}},
              .rows = {}};
  for (const std::string& name : names) table.columns.push_back({name, true});
  table.columns.push_back({"took", true});
  table.is_sortable = true;
  const RunFacts& facts = run.facts();
  for (std::size_t i = all.size(); i-- > 0;) {
    const bool is_best = facts.best && facts.best->step == all[i].step &&
                         facts.monitor.metric.starts_with(all[i].set + "/");
    // The best one stands in a table that is cut, too.
    if (all.size() - i > kMostEvaluations && !is_best) continue;
    table.rows.push_back(cells_of(all[i], names, run,
                                  std::string(is_best ? badge("good", "best") : "") +
                                      (i + 1 == all.size() ? badge("quiet", "last") : "")));
    table.row_classes.push_back(is_best ? "best" : "");
  }
  if (table.rows.size() < all.size())
    table.caption += fmt::format("; the last {} and the best one are shown", kMostEvaluations);
  sections.push_back({"evaluations", "Evaluations", html(table)});
}

void add_checkpoints(const FollowedRun& run, std::vector<Section>& sections) {
  const RunFacts& facts = run.facts();
  if (facts.checkpoints.empty()) return;
  Table table{.caption = "Checkpoints that are kept; their manifests were read, not their files",
              .columns = {{"step", true},
                          {"epoch", true},
                          {"size", true},
                          {"files", true},
                          {"tensors' digest"}},
              .rows = {}};
  for (auto each = facts.checkpoints.rbegin(); each != facts.checkpoints.rend(); ++each) {
    const bool is_best = facts.best && facts.best->step == each->step;
    const double step = static_cast<double>(each->step);
    std::vector<Cell> row{{track::grouped(each->step) + (is_best ? badge("good", "best") : ""), ""},
                          {fmt::format("{:.2f}", run.curves().position_of(step).epoch)}};
    if (each->manifest) {
      const double bytes = static_cast<double>(checkpoint::bytes_of(*each->manifest));
      row.push_back({escaped(schema::byte_words(bytes))});
      row.push_back({std::to_string(each->manifest->files.size() + 1)});
      row.push_back({fmt::format("<code>{}</code>", escaped(each->manifest->tensors))});
    } else {
      row.insert(row.end(), {{"–"}, {"–"}, {escaped("damaged: " + each->damage)}});
    }
    table.rows.push_back(std::move(row));
    table.row_classes.push_back(is_best ? "best" : each->manifest ? "" : "bad");
  }
  sections.push_back({"checkpoints", "Checkpoints", html(table)});
}

void add_history(const FollowedRun& run, std::vector<Section>& sections) {
  const RunFacts& facts = run.facts();
  std::string body;
  std::vector<std::pair<std::string, std::string>> about{
      {"folder", "<code>" + escaped(run.folder().string()) + "</code>"}};
  if (!facts.environment.empty())
    about.emplace_back("computed with",
                       escaped(fmt::format("{}", fmt::join(facts.environment, ", "))) +
                           (facts.is_mixed_environment ? badge("bad", "changed at a resume") : ""));
  if (!facts.holder.empty())
    about.emplace_back(facts.state == run::RunState::running ? "trained by" : "left by",
                       escaped(facts.holder));
  body += html_facts(about);
  const std::vector<LogLine> events = run.log().events();
  if (!events.empty()) {
    Table table{.caption = "What happened, by log.txt, by the clock of the machine",
                .columns = {{"time"}, {"event"}},
                .rows = {}};
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (run.log().omitted() > 0 && i == RunLog::kMostEvents / 2)
        table.rows.push_back({{""}, {fmt::format("… {} more …", run.log().omitted())}});
      table.rows.push_back({{escaped(events[i].time)}, {escaped(events[i].text)}});
    }
    body += html(table);
  }
  sections.push_back({"history", "Environment and history", body});
}

}  // namespace

std::vector<Section> run_sections(const FollowedRun& run) {
  std::vector<Section> sections;
  add_expectations(run, sections);
  add_evaluations(run, sections);
  add_predictions(run.predictions(),
                  run.facts().best ? static_cast<std::int64_t>(run.facts().best->step) : -1,
                  sections);
  add_generated_texts(run.generated(), sections);
  add_time(run, sections);
  add_checkpoints(run, sections);
  add_recipe(run, sections);
  add_model(run, sections);
  add_history(run, sections);
  return sections;
}

}  // namespace knead::report
