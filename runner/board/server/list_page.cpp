#include "runner/board/server/list_page.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "runner/board/runs/run_words.h"
#include "runner/board/server/target.h"
#include "runner/report/html.h"
#include "runner/report/readable_text.h"
#include "runner/track/short_text.h"
#include "schema/document/count_words.h"

namespace knead::board {
namespace {

using report::Cell;

std::string sort_key(double number) { return fmt::format("{}", number); }

std::string share_in_words(const Glance& run) {
  const std::optional<double> share = run.share();
  return share ? fmt::format("{:.0f}%", std::floor(*share * 100)) : "";
}

std::string evaluations_in_words(const Glance& run) {
  std::string words;
  for (const plan::Evaluation& evaluation : run.last_evaluations()) {
    words += words.empty() ? evaluation.set : "; " + evaluation.set;
    for (const auto& [name, value] : evaluation.values)
      words += fmt::format(" {} {}", name, track::short_number(value));
  }
  return report::readable_text(words);
}

std::vector<Cell> row_of(const WatchedFolder& folder, const Glance& run, const std::string& name) {
  const auto cell = [](const std::string& words) {
    return Cell{words == "-" ? "" : report::escaped(words)};
  };
  const bool has_reports = !run.reports().empty();
  return {
      {fmt::format("<a class=\"run\" href=\"run?name={}\">{}</a>", report::escaped(encoded(name)),
                   report::escaped(folder.label(run)))},
      {fmt::format("<span class=\"state {0}\">{0}</span>", to_string(run.state()))},
      {has_reports ? track::grouped(run.step()) : "", sort_key(static_cast<double>(run.step()))},
      {share_in_words(run), run.share() ? sort_key(run.share().value()) : ""},
      {has_reports ? loss_in_words(run) : "",
       has_reports ? sort_key(run.reports().back().loss) : ""},
      {run.best() ? report::escaped(best_in_words(run)) : "",
       run.best() ? sort_key(run.best()->value) : ""},
      cell(evaluations_in_words(run)),
      {has_reports ? rate_in_words(run) : "",
       has_reports ? sort_key(run.reports().back().samples_per_second) : ""},
      cell(time_in_words(run)),
  };
}

/// Returns the name of a folder; of the trials of a sweep that of the sweep.
std::string title_of(const std::filesystem::path& folder) {
  std::error_code unread;
  const std::filesystem::path whole = std::filesystem::canonical(folder, unread);
  const std::string name = report::readable_text(whole.filename().string());
  if (name != "sweep") return name.empty() ? "runs" : name;
  return report::readable_text("Trials of " + whole.parent_path().filename().string());
}

std::string verdict_of(const WatchedFolder& folder) {
  const auto& runs = folder.runs();
  const auto count = [&](run::RunState state) {
    return std::count_if(runs.begin(), runs.end(),
                         [&](const auto& run) { return run->state() == state; });
  };
  std::string words = schema::count_words(static_cast<std::int64_t>(runs.size()), "run");
  for (const run::RunState state : {run::RunState::running, run::RunState::finished,
                                    run::RunState::stopped, run::RunState::failed}) {
    if (const auto number = count(state); number > 0)
      words += fmt::format(", {} {}", number, to_string(state));
  }
  return words;
}

}  // namespace

report::Page list_page(const WatchedFolder& folder,
                       const std::function<std::string(const std::filesystem::path&)>& name_of) {
  report::Page page{
      .title = title_of(folder.folder()), .kind = "list", .verdict = verdict_of(folder)};
  report::Table table{.caption = "Runs: those that are running first, then by name",
                      .columns = {{"run"},
                                  {"state"},
                                  {"step", true},
                                  {"done", true},
                                  {"loss", true},
                                  {"best", true},
                                  {"last evaluation"},
                                  {"rate", true},
                                  {"time"}},
                      .rows = {},
                      .is_sortable = true};
  for (const auto& run : folder.runs())
    table.rows.push_back(row_of(folder, *run, name_of(run->folder())));
  page.sections.push_back({"runs", "Runs", report::html(table)});
  std::string sweeps;
  for (const std::string& sweep : folder.sweeps())
    sweeps += fmt::format("<li><a href=\"sweep?name={0}\">{1}</a></li>",
                          report::escaped(encoded(name_of(folder.folder() / sweep))),
                          report::escaped(report::readable_text(sweep)));
  if (!sweeps.empty()) page.sections.push_back({"sweeps", "Sweeps", "<ul>" + sweeps + "</ul>"});
  return page;
}

}  // namespace knead::board
