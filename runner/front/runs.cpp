#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runner/front/line/table.h"
#include "runner/front/line/terminal.h"
#include "runner/front/lists/compared_runs.h"
#include "runner/front/lists/listed_sweeps.h"
#include "runner/front/verb.h"
#include "runner/run/overview.h"
#include "runner/track/journal.h"
#include "runner/track/short_text.h"
#include "schema/document/byte_words.h"
#include "schema/document/json_text.h"
#include "schema/document/regular_file.h"
#include "schema/document/standard_streams.h"

namespace knead::front {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Reads the folder of a run. Returns a failure as the state `unreadable`, so that one run does not
/// hide the others.
run::Overview look_or_say_why_not(const fs::path& path) {
  try {
    return run::look_at_run(path);
  } catch (const std::exception& error) {
    run::Overview run;
    run.path = path;
    run.name = path.filename().string();
    run.state = run::RunState::unreadable;
    run.why_unreadable = error.what();
    return run;
  }
}

/// Returns the run in a folder if the folder is that of a run, else the runs in its subfolders,
/// sorted by name.
std::vector<run::Overview> find_runs(const fs::path& folder) {
  // A single run is the answer itself, so its failure ends the verb and is not a row of a table.
  if (run::is_run(folder)) return {run::look_at_run(folder)};
  std::vector<fs::path> paths;
  std::error_code failure;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failure)) {
    std::error_code error;  // ignored: a dangling link is not a folder
    if (entry.is_directory(error) && run::is_run(entry.path())) paths.push_back(entry.path());
  }
  if (failure) throw Error(fmt::format("cannot read {}: {}", folder.string(), failure.message()));
  std::sort(paths.begin(), paths.end());
  std::vector<run::Overview> runs;
  for (const fs::path& path : paths) runs.push_back(look_or_say_why_not(path));
  return runs;
}

std::string best_in_words(const run::Overview& run) {
  if (!run.best) return "-";
  return fmt::format("{} {} at {}", run.monitor, track::short_number(run.best->value),
                     run.best->step);
}

std::string last_in_words(const run::Overview& run) {
  if (!run.last) return "-";
  std::string words;
  for (const auto& [name, value] : run.last->values)
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", name, track::short_number(value));
  return fmt::format("{} {} at {}", run.last->set, words, run.last->step);
}

std::string checkpoints_in_words(const run::Overview& run) {
  if (run.state == run::RunState::unreadable) return run.why_unreadable;
  std::string words;
  for (const checkpoint::Listed& each : run.checkpoints) {
    const std::string size =
        each.manifest
            ? schema::byte_words(static_cast<double>(checkpoint::bytes_of(*each.manifest)))
            : "damaged";
    words += fmt::format("{}{} ({})", words.empty() ? "" : ", ", each.step, size);
  }
  return words.empty() ? "-" : words;
}

std::string runs_text(const std::vector<run::Overview>& runs, const std::string& folder) {
  const std::string sweeps = sweeps_text(find_sweeps(folder));
  if (runs.empty()) return sweeps.empty() ? fmt::format("no runs in {}\n", folder) : sweeps;
  std::vector<std::vector<std::string>> rows{
      {"run", "state", "step", "best", "last evaluation", "checkpoints"}};
  for (const run::Overview& run : runs) {
    // The step of a run that could not be read is unknown, and 0 would look like a fresh run.
    const bool is_read = run.state != run::RunState::unreadable;
    rows.push_back({run.name, std::string(to_string(run.state)),
                    is_read ? std::to_string(run.step) : "-", best_in_words(run),
                    last_in_words(run), checkpoints_in_words(run)});
  }
  constexpr std::size_t kStep = 2;
  return table_text(rows, kStep) + compared_text(compare_runs(runs), runs) + sweeps;
}

Json as_json(const ListedSweep& sweep) {
  Json out{{"name", sweep.name},
           {"folder", sweep.folder.string()},
           {"state", "sweep"},
           {"trials", sweep.states}};
  if (sweep.best)
    out["best"] = {
        {"metric", sweep.metric}, {"value", sweep.best->value}, {"step", sweep.best->step}};
  return out;
}

Json as_json(const plan::Evaluation& evaluation) {
  Json values = Json::object();
  for (const auto& [name, value] : evaluation.values) values[name] = track::number_as_json(value);
  return {{"step", evaluation.step}, {"set", evaluation.set}, {"values", values}};
}

Json as_json(const checkpoint::Listed& listed) {
  Json out{{"step", listed.step}, {"folder", listed.folder.string()}};
  if (listed.manifest) {
    out["bytes"] = checkpoint::bytes_of(*listed.manifest);
  } else {
    out["damage"] = listed.damage;
  }
  return out;
}

Json as_json(const run::Overview& run) {
  Json out{{"name", run.name},
           {"folder", run.path.string()},
           {"state", to_string(run.state)},
           {"step", run.step}};
  if (!run.holder.empty()) out["holder"] = run.holder;
  if (run.state == run::RunState::unreadable) out["reason"] = run.why_unreadable;
  if (run.best) {
    out["best"] = {{"metric", run.monitor},
                   {"value", track::number_as_json(run.best->value)},
                   {"step", run.best->step}};
  }
  if (run.last) out["last_evaluation"] = as_json(*run.last);
  if (run.end && run.end->failure) out["failed"] = *run.end->failure;
  if (run.end && !run.end->expectations.empty())
    out["expectations"] = run::as_json(run.end->expectations);
  out["checkpoints"] = Json::array();
  for (const checkpoint::Listed& each : run.checkpoints)
    out["checkpoints"].push_back(as_json(each));
  return out;
}

std::string as_json_text(const std::vector<run::Overview>& runs, const std::string& folder) {
  Json out = Json::array();
  for (const run::Overview& run : runs) out.push_back(as_json(run));
  for (const ComparedRuns& compared : compare_runs(runs)) {
    for (std::size_t i = 0; i < compared.runs.size(); ++i) {
      Json& differs = out[compared.runs[i]]["differs"] = Json::object();
      for (const report::Difference& each : compared.differences)
        differs[each.path] = each.values[i];
    }
  }
  for (const ListedSweep& sweep : find_sweeps(folder)) out.push_back(as_json(sweep));
  // File names need not be UTF-8.
  return schema::readable_json_text(out, 2) + "\n";
}

Exit say_what_is_unreadable(const std::vector<run::Overview>& runs) {
  std::vector<std::string> names;
  for (const run::Overview& run : runs) {
    if (run.state == run::RunState::unreadable) names.push_back(run.path.string());
  }
  if (names.empty()) return Exit::done;
  complain(fmt::format("{} of {} runs cannot be read: {}", names.size(), runs.size(),
                       fmt::join(names, ", ")),
           "the reason stands beside each");
  return Exit::not_usable;
}

}  // namespace

Exit runs(const Arguments& arguments) {
  if (arguments.files.size() > 1 || !arguments.overrides.empty())
    throw Error("'runs' takes one folder", "for example: " + find_verb("runs")->example,
                Exit::invalid_recipe);
  const std::string folder = arguments.files.empty() ? "runs" : arguments.files[0];
  if (!schema::is_folder(folder))
    throw Error(fmt::format("there is no folder '{}'", folder),
                "name the folder that runs are in, or that of one run: knead runs DIR");
  const std::vector<run::Overview> found = find_runs(folder);
  if (arguments.get("format", "text") == "json") {
    print(as_json_text(found, folder));
  } else {
    print_lines(runs_text(found, folder));
  }
  return say_what_is_unreadable(found);
}

}  // namespace knead::front
