#include "runner/board/runs/watched_folder.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/run/overview.h"
#include "runner/sweep/output/sweep_lines.h"
#include "schema/document/error.h"
#include "schema/document/json_text.h"
#include "schema/document/shown_text.h"

namespace knead::board {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// How often the folders are looked at whose changes the system does not report, and the locks of
/// runs that are running: a process that is killed writes nothing.
constexpr std::chrono::seconds kBetweenRounds{2};

/// How long a look goes on with runs at which nobody has looked closer; a thousand take a second.
constexpr std::chrono::milliseconds kCloser{25};

/// The subfolder of a run's folder that holds the trials of a sweep.
constexpr const char* kTrials = "sweep";

bool is_folder(const fs::path& path) {
  std::error_code unread;
  return fs::is_directory(path, unread);
}

/// Returns the folder whose subfolders are runs: of a sweep that of its trials.
fs::path folder_of_runs(const fs::path& folder) {
  if (!is_folder(folder))
    throw Error(fmt::format("there is no folder '{}'", folder.string()),
                "name the folder that runs are in, or that of one run: knead watch DIR",
                Exit::not_usable);
  return !run::is_run(folder) && is_folder(folder / kTrials) ? folder / kTrials : folder;
}

}  // namespace

WatchedFolder::WatchedFolder(const fs::path& folder)
    : folder_(folder_of_runs(folder)),
      files_(folder_),
      is_one_run_(run::is_run(folder_)),
      sweep_lines_(files_, folder_ / sweep::kLinesFile) {
  changes_.watch(folder_);
  if (is_one_run_) {
    runs_[folder_] = std::make_shared<Glance>(files_, folder_);
    look_at(folder_);
  } else {
    std::error_code failure;
    fs::directory_iterator(folder_, failure);
    if (failure)
      throw Error(fmt::format("cannot read {}: {}", folder_.string(), failure.message()));
    std::set<fs::path> all;
    list(all);
  }
  sort();
  std::set<fs::path> ignored;
  look_closer_for(kCloser, ignored);
  last_round_ = Clock::now();
}

void WatchedFolder::list(std::set<fs::path>& changed) {
  std::set<fs::path> found;
  for (const files::Entry& entry : files_.list(folder_)) {
    if (!entry.is_folder) continue;
    const fs::path path = folder_ / entry.name;
    found.insert(path);
    if (runs_.contains(path)) continue;
    if (others_.insert(path).second) changes_.watch(path);
    if (!run::is_run(path)) continue;
    others_.erase(path);
    auto glance = std::make_shared<Glance>(files_, path);
    glance->look();
    runs_[path] = std::move(glance);
    are_all_close_ = false;
    changed.insert(path);
  }
  for (auto each = runs_.begin(); each != runs_.end();) {
    if (found.contains(each->first)) {
      ++each;
      continue;
    }
    changes_.forget(each->first);
    changed.insert(each->first);
    each = runs_.erase(each);
  }
  std::erase_if(others_, [&](const fs::path& path) { return !found.contains(path); });
  read_trials();
}

void WatchedFolder::read_trials() {
  try {
    sweep_lines_.read_on([this](std::string_view line) { read_trial(line); },
                         [this] { trials_.clear(); });
  } catch (const files::FileError&) {
    // Trials are then called by their ids.
  }
}

void WatchedFolder::read_trial(std::string_view line) {
  const auto json = schema::parse_json_or_none(line);
  if (!json || !json->is_object()) return;
  const auto id = json->find("id");
  const auto values = json->find("values");
  if (id == json->end() || !id->is_string() || values == json->end() || !values->is_object())
    return;
  std::string words;
  for (const auto& [key, value] : values->items()) {
    const std::string name = key.substr(key.rfind('.') + 1);
    words += fmt::format(
        "{}{}={}", words.empty() ? "" : " ", name,
        value.is_string() ? value.get<std::string>() : schema::readable_json_text(value));
  }
  trials_[id->get<std::string>()] = std::move(words);
}

bool WatchedFolder::look_at(const fs::path& folder) {
  const auto run = runs_.find(folder);
  return run != runs_.end() && run->second->look();
}

std::set<fs::path> WatchedFolder::look() {
  std::set<fs::path> due = changes_.take();
  if (Clock::now() - last_round_ >= kBetweenRounds) {
    last_round_ = Clock::now();
    due.insert(changes_.unseen().begin(), changes_.unseen().end());
    for (const auto& [path, run] : runs_) {
      if (run->state() == run::RunState::running) due.insert(path);
    }
  }
  std::set<fs::path> changed;
  bool is_to_list = false;
  for (const fs::path& folder : due) {
    if (look_at(folder)) changed.insert(folder);
    is_to_list |= folder == folder_ || others_.contains(folder);
  }
  if (is_to_list && !is_one_run_) list(changed);
  if (!changed.empty()) sort();
  look_closer_for(kCloser, changed);
  return changed;
}

void WatchedFolder::look_closer_for(std::chrono::milliseconds time, std::set<fs::path>& changed) {
  if (are_all_close_) return;
  const auto end = Clock::now() + time;
  for (const auto& run : sorted_) {
    if (run->is_close()) continue;
    if (Clock::now() > end) return;
    runs_.at(run->folder())->look_closer();
    changed.insert(run->folder());
  }
  are_all_close_ = true;
}

void WatchedFolder::look_closer() {
  std::set<fs::path> ignored;
  look_closer_for(std::chrono::hours(1), ignored);
}

void WatchedFolder::sort() {
  sorted_.clear();
  for (const auto& [path, run] : runs_) sorted_.push_back(run);
  std::stable_partition(sorted_.begin(), sorted_.end(),
                        [](const auto& run) { return run->state() == run::RunState::running; });
}

std::string WatchedFolder::label(const Glance& run) const {
  const auto trial = trials_.find(run.name());
  if (trial == trials_.end()) return schema::shown_text(run.name());
  return schema::shown_text(run.name().substr(0, 8) + " " + trial->second);
}

std::vector<std::string> WatchedFolder::sweeps() const {
  std::vector<std::string> names;
  for (const fs::path& other : others_) {
    if (is_folder(other / kTrials)) names.push_back(other.filename().string());
  }
  return names;
}

}  // namespace knead::board
