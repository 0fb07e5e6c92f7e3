#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "runner/board/runs/length_of_run.h"
#include "runner/plan/decide.h"
#include "runner/plan/evaluations.h"
#include "runner/report/contained_files.h"
#include "runner/report/growing_lines.h"
#include "runner/report/journal_line.h"
#include "runner/run/overview.h"
#include "runner/track/report.h"

namespace knead::board {

/// Keeps what a list shows of a run up to date at little cost: a look reads only the lines that are
/// new, of metrics.jsonl only its end. The folder may be of anybody and may contain anything: lines
/// that cannot be read are left out and counted, nothing outside of the folder is read
/// (report::ContainedFiles), and look() throws nothing but std::bad_alloc.
class Glance {
 public:
  /// Borrows `files`, below whose root the folder lies, or which it is.
  Glance(report::ContainedFiles& files, std::filesystem::path folder);

  /// Reads what has changed since the last call: at first the state and the last reports only,
  /// after look_closer() all. Returns whether something has changed.
  bool look();
  /// Reads the recipe and the evaluations for the first time, which takes ten times as long as a
  /// look(). Without it there is no share(), no best() and no last_evaluations().
  void look_closer();
  bool is_close() const { return is_close_; }

  const std::filesystem::path& folder() const { return folder_; }
  /// The name of the folder on disk, as report::readable_text().
  const std::string& name() const { return name_; }
  run::RunState state() const { return state_; }
  /// See run::Overview::holder.
  const std::string& holder() const { return holder_; }
  /// The last step that was reported; 0 if there is none.
  std::uint64_t step() const { return reports_.empty() ? 0 : reports_.back().step; }
  /// The last reports, oldest first: those in the last 8 kB of the journal, about 30.
  const std::vector<track::Report>& reports() const { return reports_; }
  /// The last evaluation of each set, in the order in which sets appeared first.
  const plan::Evaluations& last_evaluations() const { return last_evaluations_; }
  /// evaluate.monitor; its metric is empty without a recipe.
  const plan::Objective& monitor() const { return monitor_; }
  /// The best value of the monitored metric so far.
  const std::optional<plan::Value>& best() const { return best_; }
  /// The length that the recipe gives the run.
  const LengthOfRun& length() const { return length_; }
  /// The share of the run that is done, 0 … 1; std::nullopt if unknown.
  std::optional<double> share() const;
  /// The seconds until the end; std::nullopt if the run is not running or the speed is unknown.
  std::optional<double> seconds_left() const;
  /// When metrics.jsonl was written last, as of the last look; std::nullopt if there is none.
  std::optional<std::filesystem::file_time_type> written() const { return written_; }
  /// How many lines of evaluations.jsonl could not be read.
  std::size_t unreadable_lines() const { return unreadable_lines_; }

 private:
  std::string text_of(const char* file) const;
  void read_recipe();
  bool read_reports();
  bool read_evaluations();
  void forget_evaluations();
  void read_state();
  void add_report(report::JournalLine& reader, std::string_view line);
  void add_evaluation(std::string_view line);

  report::ContainedFiles& files_;
  std::filesystem::path folder_;
  std::string name_;
  std::optional<report::GrowingLines> evaluations_;
  bool is_close_ = false;
  run::RunState state_ = run::RunState::empty;
  std::string holder_;
  std::vector<track::Report> reports_;
  plan::Evaluations last_evaluations_;
  plan::Objective monitor_{""};
  LengthOfRun length_;
  std::optional<std::filesystem::file_time_type> recipe_written_;
  std::optional<plan::Value> best_;
  std::size_t unreadable_lines_ = 0;
  std::optional<std::filesystem::file_time_type> written_;
  std::uint64_t journal_size_ = 0;
};

}  // namespace knead::board
