#pragma once

#include <deque>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runner/report/contained_files.h"
#include "runner/report/growing_lines.h"

namespace knead::report {

/// A line of log.txt.
struct LogLine {
  std::string time;  // "2026-11-25 13:18:37", local to the machine of the run; may be empty
  std::string text;
};

/// Returns the date and time that a line of log.txt begins with; empty if it does not.
std::string time_of_log_line(std::string_view line);

/// A part of a step with its share of the step's time, from the last profile of a run.
struct StepPart {
  std::string name;  // "forward"; parts inside a part are left out
  double milliseconds = 0;
  double share = 0;  // 0 … 1
};

/// Follows log.txt of a run: what happened when. Lines that only repeat numbers of the journals are
/// left out. Not thread-safe.
class RunLog {
 public:
  /// Of more events the first and the last ones are held.
  static constexpr std::size_t kMostEvents = 400;
  /// A profile of more lines is cut.
  static constexpr std::size_t kMostProfileLines = 200;

  RunLog(ContainedFiles& files, const std::filesystem::path& run_folder);

  /// Reads the lines that were appended. Returns whether there was any, or the file is another one.
  /// Throws files::FileError.
  bool read_on();

  /// Returns starts, resumes, saves, warnings, stops and the end, in order; of many, the first
  /// half of kMostEvents and the last half.
  std::vector<LogLine> events() const;
  /// Returns how many events lie between the two halves.
  std::size_t omitted() const { return omitted_; }

  /// Returns the sentences on expectations of the last start that said them.
  const std::vector<std::string>& expectations() const { return expectations_; }

  /// Returns the steps from which the run went on after it had stopped, with words on when: of many
  /// the first kMostEvents.
  const std::vector<std::pair<double, std::string>>& resumes() const { return resumes_; }

  /// Returns the table of the last profile as it was printed; empty if no step was profiled.
  const std::vector<std::string>& profile() const { return profile_; }
  /// Returns the parts of a step in that profile, and the rest of it as the last one.
  std::vector<StepPart> step_parts() const;

  /// Returns the times of the first and the last line; empty if there is none.
  const std::string& first_time() const { return first_time_; }
  const std::string& last_time() const { return last_time_; }

 private:
  void take(std::string_view line);
  void add_resume(const LogLine& line);
  void add_event(LogLine line);
  void forget();

  GrowingLines lines_;
  std::vector<LogLine> first_;
  std::deque<LogLine> last_;
  std::size_t omitted_ = 0;
  std::vector<std::string> expectations_;
  std::vector<std::pair<double, std::string>> resumes_;
  std::vector<std::string> profile_;
  bool is_inside_profile_ = false;
  bool is_inside_expectations_ = false;
  std::uint64_t taken_ = 0;
  std::string first_time_;
  std::string last_time_;
};

}  // namespace knead::report
