// The parts of a run's page on time, recipe and model.

#include <algorithm>
#include <cmath>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runner/report/figure.h"
#include "runner/report/html.h"
#include "runner/report/run_sections.h"
#include "runner/track/short_text.h"

namespace knead::report {
namespace {

// A longer table is cut, and says so.
constexpr std::size_t kMostTensors = 500;

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
  if (const double mfu = mean_of(run.curves().find("mfu")); !std::isnan(mfu))
    facts.emplace_back("model FLOPs utilization, mean of all reports",
                       fmt::format("{:.3g} %", 100 * mfu));
  if (!run.log().first_time().empty())
    facts.emplace_back("from the first start to the last line of the log",
                       escaped(run.log().first_time() + " – " + run.log().last_time()));
  return facts.empty() ? "" : html_facts(facts);
}

}  // namespace

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

namespace {

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

}  // namespace

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

namespace {

std::uint64_t elements_of(const files::SafetensorsPlace& tensor) {
  std::uint64_t count = 1;
  for (const std::int64_t size : tensor.shape) count *= static_cast<std::uint64_t>(size);
  return count;
}

}  // namespace

std::uint64_t count_parameters(const std::vector<files::SafetensorsPlace>& tensors) {
  std::uint64_t count = 0;
  for (const files::SafetensorsPlace& tensor : tensors) count += elements_of(tensor);
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

}  // namespace knead::report
