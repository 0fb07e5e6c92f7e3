#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runner/board/runs/glance.h"
#include "runner/files/changes.h"

namespace knead::board {

/// The runs in a folder, kept up to date: those that appear are found, those that change are looked
/// at, the others cost nothing. The folder is that of a run, of runs, or of a sweep, whose runs are
/// its trials. Nothing outside of it is read, and no link in it is followed.
class WatchedFolder {
 public:
  /// Looks at all runs; where they are many, closer ones (Glance::look_closer) are left to look().
  /// Throws knead::Error if the folder is missing or cannot be read.
  explicit WatchedFolder(const std::filesystem::path& folder);

  /// Looks at what has changed since the last call. Returns the folders of the runs that have
  /// changed, have appeared or are gone.
  std::set<std::filesystem::path> look();
  /// Looks closer at all runs at which that is left.
  void look_closer();

  /// Returns the runs, those that are running first, then by name.
  const std::vector<std::shared_ptr<const Glance>>& runs() const { return sorted_; }

  /// Returns how a list names a run, safe to show: the name of its folder, or of a trial what it
  /// varies, behind the beginning of its id.
  std::string label(const Glance& run) const;

  /// Returns whether the folder is itself a run, the only one.
  bool is_one_run() const { return is_one_run_; }
  /// Returns the names of the folders in it that hold a sweep.
  std::vector<std::string> sweeps() const;
  /// The folder whose subfolders are the runs; of one run, its own.
  const std::filesystem::path& folder() const { return folder_; }

  /// A descriptor that is readable when something has changed; -1 if there is none.
  int descriptor() const { return changes_.descriptor(); }

 private:
  using Runs = std::map<std::filesystem::path, std::shared_ptr<Glance>>;

  /// Finds the runs that are new, and those that are gone, and adds them to `changed`.
  void list(std::set<std::filesystem::path>& changed);
  bool look_at(const std::filesystem::path& folder);
  /// Looks closer at runs, those that come first in the list first, as long as there is time, and
  /// adds them to `changed`.
  void look_closer_for(std::chrono::milliseconds time, std::set<std::filesystem::path>& changed);
  void sort();
  void read_trials();
  void read_trial(std::string_view line);

  std::filesystem::path folder_;
  mutable report::ContainedFiles files_;
  bool is_one_run_ = false;
  files::Changes changes_;
  Runs runs_;
  std::set<std::filesystem::path> others_;  // subfolders that are no runs, or not yet
  std::vector<std::shared_ptr<const Glance>> sorted_;
  report::GrowingLines sweep_lines_;
  std::map<std::string, std::string> trials_;  // what a trial varies, by its id
  std::chrono::steady_clock::time_point last_round_{};
  bool are_all_close_ = false;
};

}  // namespace knead::board
