#include "runner/report/reported_sweep.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runner/files/file.h"
#include "runner/files/open_file.h"
#include "runner/report/contained_files.h"
#include "runner/report/growing_lines.h"
#include "runner/report/readable_text.h"
#include "runner/report/run_log.h"
#include "runner/report/stored_recipe.h"
#include "runner/run/names.h"
#include "runner/sweep/output/sweep_lines.h"
#include "runner/sweep/sweep_files.h"
#include "runner/sweep/trials/record.h"
#include "runner/track/journal.h"
#include "runner/track/log.h"
#include "schema/document/json_text.h"
#include "schema/document/scalar.h"

namespace knead::report {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kMostTrials = 20'000;
constexpr std::size_t kLongestLine = 4 << 20;   // an objective of 100,000 evaluations
constexpr std::size_t kMostEvaluated = 10'000;  // of the objective of a trial
constexpr std::size_t kLogPiece = 8 << 10;

sweep::TrialState state_named(std::string_view word) {
  using State = sweep::TrialState;
  for (const State each : {State::waiting, State::running, State::finished, State::pruned,
                           State::stopped, State::failed})
    if (sweep::to_string(each) == word) return each;
  return State::waiting;
}

/// Returns a value of a swept key as people read it: a text without quotes.
std::string words_of(const Json& value) {
  if (value.is_string()) return readable_text(value.get<std::string>());
  if (value.is_number_float()) return schema::number_text(value.get<double>());
  return schema::json_text(value);
}

sweep::Trial trial_of(const Json& line) {
  sweep::Trial trial;
  trial.name.id = readable_text(line.at("id").get<std::string>());
  trial.name.point = line.at("point").get<std::size_t>();
  trial.name.repeat = line.at("repeat").get<int>();
  for (const auto& [key, value] : line.at("values").items())
    trial.name.values.emplace_back(readable_text(key), words_of(value));
  trial.state = state_named(line.at("state").get<std::string>());
  for (const Json& each : line.at("objective")) {
    if (trial.objective.size() == kMostEvaluated) break;
    trial.objective.push_back(
        {each.at(0).get<std::uint64_t>(), track::number_from_json(each.at(1))});
  }
  if (line.at("best").is_number() && line.at("best_step").is_number())
    trial.best = {line.at("best_step").get<std::uint64_t>(), line.at("best").get<double>()};
  if (line.at("code").is_number()) trial.code = line.at("code").get<int>();
  trial.seconds = line.at("seconds").get<double>();
  return trial;
}

/// Adds what a line of sweep.jsonl says. Throws nlohmann::json::exception if it has another form.
void take_line(const nlohmann::ordered_json& line, ReportedSweep& sweep) {
  sweep::Trial trial = trial_of(line);
  auto& judgements = sweep.expectations[trial.name.point];
  if (judgements.empty()) {
    for (const Json& each : line.at("expect"))
      judgements.push_back(
          {each.at("met").get<bool>(), readable_text(each.at("sentence").get<std::string>())});
  }
  sweep.outcome.objective.metric = line.at("metric").get<std::string>();
  sweep.outcome.seeds = std::max(sweep.outcome.seeds, trial.name.repeat + 1);
  for (const auto& [key, value] : trial.name.values) {
    const bool is_known = std::any_of(sweep.outcome.keys.begin(), sweep.outcome.keys.end(),
                                      [&](const sweep::SweptKey& each) { return each.key == key; });
    if (!is_known) sweep.outcome.keys.push_back({.key = key, .dimension = sweep::Choices{1}});
  }
  sweep.outcome.trials.push_back(std::move(trial));
}

std::string text_of(ContainedFiles& files, const fs::path& path) {
  try {
    return readable_text(files::read_small(files, path, ContainedFiles::kMostBytes));
  } catch (const files::FileError&) {
    return "";
  }
}

/// Reads "#   optimizer.lr: 0.001 (the recipe has 0.0003)", as sweep::best_recipe() writes it.
std::optional<BestValue> best_value_in(std::string_view line) {
  constexpr std::string_view kBegin = "#   ", kInRecipe = " (the recipe has ",
                             kAbsent = " (the recipe does not have it)";
  const std::size_t colon = line.find(": ");
  if (!line.starts_with(kBegin) || colon == line.npos || !line.ends_with(")")) return std::nullopt;
  BestValue value;
  value.key = line.substr(kBegin.size(), colon - kBegin.size());
  line.remove_prefix(colon + 2);
  const std::size_t base = line.rfind(kInRecipe);
  if (base == line.npos && !line.ends_with(kAbsent)) return std::nullopt;
  if (base != line.npos) {
    value.base = line.substr(base + kInRecipe.size());
    value.base.pop_back();
  }
  value.best = line.substr(0, base == line.npos ? line.size() - kAbsent.size() : base);
  return value;
}

void read_best(ContainedFiles& files, ReportedSweep& sweep) {
  sweep.best_recipe = text_of(files, sweep.folder / sweep::kBestFile);
  std::string_view rest = sweep.best_recipe;
  while (rest.starts_with('#')) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    if (auto value = best_value_in(rest.substr(0, end)))
      sweep.best_values.push_back(std::move(*value));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

/// Reads what a trial that failed said last.
std::vector<std::string> last_lines_of(ContainedFiles& files, const fs::path& run_folder) {
  constexpr std::size_t kMostLines = 20;
  std::vector<std::string> lines;
  const auto record = schema::parse_json_or_none(text_of(files, run_folder / sweep::kTrialFile));
  if (!record || !record->is_object() || !record->contains("last_lines")) return lines;
  for (const auto& line : record->at("last_lines"))
    if (line.is_string() && lines.size() < kMostLines) lines.push_back(line.get<std::string>());
  return lines;
}

/// Returns the time at the beginning of the first whole line of a text that has one.
std::string first_time(std::string_view text) {
  while (!text.empty()) {
    if (std::string time = time_of_log_line(text); !time.empty()) return time;
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  }
  return "";
}

std::string last_time(std::string_view text) {
  while (!text.empty()) {
    const std::size_t begin = text.size() < 2 ? text.npos : text.rfind('\n', text.size() - 2);
    const std::string_view line = text.substr(begin == text.npos ? 0 : begin + 1);
    if (std::string time = time_of_log_line(line); !time.empty()) return time;
    text.remove_suffix(line.size());
  }
  return "";
}

/// Reads both ends of the log of a trial. Leaves the times empty if it has none.
TrialTimes times_of(ContainedFiles& files, const fs::path& log) {
  try {
    const files::OpenFile file(log, files.open_large(log));
    const std::uint64_t end = file.size() < kLogPiece ? 0 : file.size() - kLogPiece;
    return {first_time(file.beginning(kLogPiece)), last_time(file.read(end, file.size() - end))};
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

std::optional<fs::path> sweep_folder(const fs::path& folder) {
  std::error_code failure;
  const auto has_lines = [&](const fs::path& each) {
    return fs::is_regular_file(fs::symlink_status(each / sweep::kLinesFile, failure));
  };
  if (has_lines(folder)) return folder;
  const fs::path within = folder / "sweep";
  // The user named `folder` and may name a link, but a link in it could lead anywhere.
  const bool is_folder = fs::is_directory(fs::symlink_status(within, failure));
  return is_folder && has_lines(within) ? std::optional(within) : std::nullopt;
}

ReportedSweep read_sweep(const fs::path& folder) {
  ContainedFiles files(folder);
  ReportedSweep sweep;
  sweep.folder = folder;
  std::size_t unreadable = 0, left_out = 0;
  GrowingLines lines(files, folder / sweep::kLinesFile, kLongestLine);
  lines.read_on([&](std::string_view line) {
    if (sweep.outcome.trials.size() == kMostTrials) {
      ++left_out;
      return;
    }
    try {
      take_line(Json::parse(line), sweep);
    } catch (const nlohmann::json::exception&) {
      ++unreadable;
    }
  });
  if (unreadable + lines.too_long() > 0)
    sweep.notes.push_back(fmt::format("{} lines of sweep.jsonl are left out: not trials",
                                      unreadable + lines.too_long()));
  if (left_out > 0)
    sweep.notes.push_back(
        fmt::format("{} trials are left out: a page holds {}", left_out, kMostTrials));
  std::string recipe;  // of any trial: all have the same metrics
  for (sweep::Trial& trial : sweep.outcome.trials) {
    const fs::path run = folder / trial.name.id;
    if (trial.state == sweep::TrialState::failed) trial.last_lines = last_lines_of(files, run);
    sweep.times[trial.name.id] = times_of(files, run / track::kLogFile);
    if (recipe.empty()) recipe = text_of(files, run / run::kResolvedFile);
  }
  const StoredRecipe stored = stored_recipe(std::move(recipe));
  sweep.outcome.objective = plan::objective(sweep.outcome.objective.metric, stored.tree);
  std::error_code failure;
  const fs::path real = fs::canonical(folder, failure);
  sweep.outcome.name = readable_text((failure ? folder : real).parent_path().filename().string());
  read_best(files, sweep);
  return sweep;
}

}  // namespace knead::report
