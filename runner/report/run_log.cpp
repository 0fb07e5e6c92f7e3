#include "runner/report/run_log.h"

#include <charconv>
#include <sstream>

#include <fmt/format.h>

#include "runner/report/readable_text.h"
#include "runner/track/console.h"
#include "runner/track/log.h"

namespace knead::report {
namespace {

constexpr std::size_t kTimeLength = 19;  // 2026-11-25 13:18:37
constexpr std::size_t kLongestText = 2000;

/// Returns whether a line begins with date and time, as track::Log writes them.
bool has_time(std::string_view line) {
  constexpr std::string_view kForm = "dddd-dd-dd dd:dd:dd  ";
  if (line.size() < kForm.size()) return false;
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    const bool is_digit = line[i] >= '0' && line[i] <= '9';
    if (kForm[i] == 'd' ? !is_digit : line[i] != kForm[i]) return false;
  }
  return true;
}

LogLine log_line(std::string_view line) {
  LogLine out{.time = time_of_log_line(line), .text = ""};
  if (!out.time.empty()) line.remove_prefix(kTimeLength + 2);
  out.text = readable_text(line.substr(0, kLongestText));
  return out;
}

/// Reads "  forward  1  0.104  32.8 %", a part directly within a step.
bool read_part(const std::string& line, StepPart& part) {
  if (!line.starts_with("  ") || line.starts_with("   ")) return false;
  std::istringstream words(line);
  std::string calls, percent;
  return words >> part.name >> calls >> part.milliseconds >> part.share >> percent &&
         percent == "%";
}

}  // namespace

std::string time_of_log_line(std::string_view line) {
  return std::string(has_time(line) ? line.substr(0, kTimeLength) : "");
}

RunLog::RunLog(ContainedFiles& files, const std::filesystem::path& run_folder)
    : lines_(files, run_folder / track::kLogFile) {}

bool RunLog::read_on() {
  const std::uint64_t before = taken_;
  const auto found =
      lines_.read_on([this](std::string_view line) { take(line); }, [this] { forget(); });
  return found == GrowingLines::Found::restarted || taken_ != before;
}

void RunLog::forget() {
  first_.clear();
  last_.clear();
  omitted_ = taken_ = 0;
  expectations_.clear();
  resumes_.clear();
  profile_.clear();
  is_inside_profile_ = is_inside_expectations_ = false;
  first_time_.clear();
  last_time_.clear();
}

void RunLog::take(std::string_view text) {
  ++taken_;
  LogLine line = log_line(text);
  if (!line.time.empty()) {
    if (first_time_.empty()) first_time_ = line.time;
    last_time_ = line.time;
  }
  if (line.text.starts_with("profile of steps ")) {
    profile_.clear();
    is_inside_profile_ = true;
  } else if (is_inside_profile_ && line.text.starts_with("  ")) {
    if (profile_.size() < kMostProfileLines) profile_.push_back(line.text);
    return;
  } else {
    is_inside_profile_ = false;
  }
  const bool is_expectation = line.text.starts_with("expect ");
  if (is_expectation && !is_inside_expectations_) expectations_.clear();
  is_inside_expectations_ = is_expectation;
  if (is_expectation) expectations_.push_back(line.text);
  add_resume(line);
  // Lines of reports, of evaluations and of texts: "step  47/940 …". The journals have them.
  const bool is_in_journals =
      line.text.starts_with("step ") || line.text.starts_with(track::kTextMark);
  if (!is_in_journals) add_event(std::move(line));
}

void RunLog::add_resume(const LogLine& line) {
  constexpr std::string_view kBegin = "going on from step ";
  if (!line.text.starts_with(kBegin) || resumes_.size() == kMostEvents) return;
  const char* const begin = line.text.data() + kBegin.size();
  std::uint64_t step = 0;
  const auto read = std::from_chars(begin, line.text.data() + line.text.size(), step);
  if (read.ec != std::errc()) return;
  resumes_.emplace_back(static_cast<double>(step),
                        fmt::format("resumed from step {} at {}", step, line.time));
}

void RunLog::add_event(LogLine line) {
  if (first_.size() < kMostEvents / 2) {
    first_.push_back(std::move(line));
    return;
  }
  last_.push_back(std::move(line));
  if (last_.size() <= kMostEvents / 2) return;
  last_.pop_front();
  ++omitted_;
}

std::vector<LogLine> RunLog::events() const {
  std::vector<LogLine> all = first_;
  all.insert(all.end(), last_.begin(), last_.end());
  return all;
}

std::vector<StepPart> RunLog::step_parts() const {
  std::vector<StepPart> parts;
  double rest = 1;
  for (const std::string& line : profile_) {
    // The table goes on with other threads and operators behind the sum of the parts:
    // "  all  0.318  100.0 %".
    std::istringstream words(line);
    std::string name;
    double milliseconds = 0;
    if (line.starts_with("  all ") && words >> name >> milliseconds) {
      if (rest > 0.001) parts.push_back({"the rest", milliseconds * rest, rest});
      break;
    }
    StepPart part;
    if (!read_part(line, part)) continue;
    part.share /= 100;
    rest -= part.share;
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace knead::report
