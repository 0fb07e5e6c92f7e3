#include "runner/report/run_sections.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <fmt/format.h>

#include "runner/report/html.h"
#include "runner/report/scale.h"
#include "runner/track/short_text.h"
#include "schema/document/byte_words.h"

namespace knead::report {
namespace {

// Longer tables are cut, and say so.
constexpr std::size_t kMostEvaluations = 500;
constexpr std::size_t kMostTensors = 500;

std::string badge(const char* kind, const char* word) {
  return fmt::format(" <span class=\"badge {}\">{}</span>", kind, word);
}

void add_expectations(const FollowedRun& run, std::vector<Section>& sections) {
  const auto& sentences = run.log().expectations();
  if (sentences.empty()) return;
  std::string list = "<ul>";
  for (const std::string& sentence : sentences) {
    const bool is_met = sentence.ends_with(", met");
    list += fmt::format("<li>{}{}</li>", escaped(sentence),
                        is_met ? badge("good", "met") : badge("bad", "not met"));
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
  row.push_back(
      {track::short_duration(std::max(each.seconds, 0.0)), fmt::format("{}", each.seconds)});
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

std::string bar_svg(double share) {
  share = std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0;
  return fmt::format(
      "<svg class=\"bar\" viewBox=\"0 0 100 12\" preserveAspectRatio=\"none\" "
      "aria-hidden=\"true\"><rect class=\"rest\" width=\"100\" height=\"12\"/><rect width=\"{}\" "
      "height=\"12\"/></svg>",
      place_text(100 * share));
}

/// Returns the mean of a curve over all reports.
double mean_of(const ThinnedSeries* series) {
  if (!series || series->points() == 0) return NAN;
  double sum = 0;
  for (const Column& column : series->columns()) sum += column.sum;
  return sum / static_cast<double>(series->points());
}

/// Returns what is known of the time of all steps.
std::string whole_time_html(const FollowedRun& run) {
  std::vector<std::pair<std::string, std::string>> facts;
  double evaluating = 0;
  for (const plan::Evaluation& each : run.evaluations()) evaluating += std::max(each.seconds, 0.0);
  for (const auto& [name, value] : run.curves().last())
    if (name == "time" && value >= 0) facts.emplace_back("training", track::short_duration(value));
  if (evaluating > 0) facts.emplace_back("evaluations", track::short_duration(evaluating));
  if (const double wait = mean_of(run.curves().find("data_wait")); !std::isnan(wait))
    facts.emplace_back("waiting for data, mean of all reports",
                       fmt::format("{:.1f} %", 100 * wait));
  if (const double rate = mean_of(run.curves().find("samples_per_second")); !std::isnan(rate))
    facts.emplace_back("samples per second, mean of all reports",
                       track::short_count(std::max(rate, 0.0)));
  if (!run.log().first_time().empty())
    facts.emplace_back("from the first start to the last line of the log",
                       escaped(run.log().first_time() + " – " + run.log().last_time()));
  return facts.empty() ? "" : html_facts(facts);
}

void add_time(const FollowedRun& run, std::vector<Section>& sections) {
  std::string body = whole_time_html(run);
  const std::vector<StepPart> parts = run.log().step_parts();
  if (!parts.empty()) {
    Table table{.caption = "Where the time of a step goes, by the last profile",
                .columns = {{"part"}, {"ms a step", true}, {"share", true}, {"of the step"}},
                .rows = {}};
    for (const StepPart& part : parts)
      table.rows.push_back({{escaped(part.name)},
                            {fmt::format("{:.3f}", part.milliseconds)},
                            {fmt::format("{:.1f} %", 100 * part.share)},
                            {bar_svg(part.share)}});
    body += html(table);
    std::string lines;
    for (const std::string& line : run.log().profile()) lines += escaped(line) + "\n";
    body += fmt::format(
        "<details><summary>The whole profile</summary><div class=\"scroll\" role=\"region\" "
        "tabindex=\"0\" aria-label=\"The whole profile\"><pre>{}</pre></div></details>",
        lines);
  } else if (!body.empty()) {
    body +=
        "<p class=\"note\">No step was profiled: <code>profile: [10, 15]</code> in the recipe "
        "shows "
        "where the time of a step goes.</p>";
  }
  if (!body.empty()) sections.push_back({"time", "Time", body});
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

/// Returns the text of a recipe with its comments, which say where values come from, apart.
std::string recipe_html(const std::string& text) {
  std::string out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t begin = line.find_first_not_of(' ');
    const std::size_t comment =
        begin != line.npos && line[begin] == '#' ? begin : line.find("  # ");
    out += escaped(line.substr(0, comment));
    if (comment != line.npos)
      out += fmt::format("<span class=\"origin\">{}</span>", escaped(line.substr(comment)));
    out += '\n';
  }
  return out;
}

void add_recipe(const FollowedRun& run, std::vector<Section>& sections) {
  const StoredRecipe& recipe = run.facts().recipe;
  if (recipe.text.empty()) return;
  Table table{
      .caption = "What the recipe, its bases and the command line say; the rest are defaults",
      .columns = {{"key"}, {"value"}, {"comes from"}},
      .rows = {}};
  for (const RecipeKey& key : recipe.keys) {
    if (key.origin == "default") continue;
    table.rows.push_back({{fmt::format("<code>{}</code>", escaped(key.path))},
                          {fmt::format("<code>{}</code>", escaped(key.value))},
                          {escaped(key.origin)}});
  }
  sections.push_back(
      {"recipe", "Recipe",
       html(table) +
           fmt::format("<details><summary>The whole recipe, with all defaults</summary><div "
                       "class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"The whole "
                       "recipe\"><pre>{}</pre></div></details>",
                       recipe_html(recipe.text))});
}

std::uint64_t elements_of(const files::SafetensorsPlace& tensor) {
  std::uint64_t count = 1;
  for (const std::int64_t size : tensor.shape) count *= static_cast<std::uint64_t>(size);
  return count;
}

void add_model(const FollowedRun& run, std::vector<Section>& sections) {
  const RunFacts& facts = run.facts();
  if (facts.tensors.empty()) return;
  std::vector<std::pair<std::string, std::string>> about;
  for (const char* key : {"model.source", "model.class", "model.archive"}) {
    const std::string value = facts.recipe.value(key);
    if (!value.empty()) about.emplace_back(std::string(key).substr(6), escaped(value));
  }
  about.emplace_back("tensors", track::grouped(facts.tensors.size()));
  about.emplace_back("numbers", track::grouped(count_parameters(facts.tensors)));
  Table table{.caption = "Tensors of the newest checkpoint: parameters and buffers",
              .columns = {{"name"}, {"shape"}, {"dtype"}, {"numbers", true}},
              .rows = {}};
  table.is_sortable = true;
  for (const files::SafetensorsPlace& tensor : facts.tensors) {
    if (table.rows.size() == kMostTensors) {
      table.caption += fmt::format("; the first {} of {}", kMostTensors, facts.tensors.size());
      break;
    }
    const std::uint64_t elements = elements_of(tensor);
    table.rows.push_back({{fmt::format("<code>{}</code>", escaped(tensor.name))},
                          {fmt::format("({})", fmt::join(tensor.shape, ", "))},
                          {escaped(tensor.dtype)},
                          {track::grouped(elements), std::to_string(elements)}});
  }
  sections.push_back({"model", "Model", html_facts(about) + html(table)});
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

std::uint64_t count_parameters(const std::vector<files::SafetensorsPlace>& tensors) {
  std::uint64_t count = 0;
  for (const files::SafetensorsPlace& tensor : tensors) count += elements_of(tensor);
  return count;
}

std::vector<Section> run_sections(const FollowedRun& run) {
  std::vector<Section> sections;
  add_expectations(run, sections);
  add_evaluations(run, sections);
  add_time(run, sections);
  add_checkpoints(run, sections);
  add_recipe(run, sections);
  add_model(run, sections);
  add_history(run, sections);
  return sections;
}

}  // namespace knead::report
