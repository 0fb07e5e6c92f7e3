#include "runner/board/runs/glance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <utility>

#include <unistd.h>

#include <nlohmann/json.hpp>

#include "runner/checkpoint/names.h"
#include "runner/files/file.h"
#include "runner/files/lock.h"
#include "runner/report/readable_text.h"
#include "runner/report/stored_recipe.h"
#include "runner/run/names.h"
#include "runner/track/tracker.h"
#include "schema/document/error.h"

namespace knead::board {
namespace {

namespace fs = std::filesystem;

/// About 30 reports: enough for a speed, and a thousand runs are looked at in a moment.
constexpr std::size_t kEndOfJournal = 8 << 10;

std::optional<fs::file_time_type> time_of(const fs::path& file) {
  std::error_code unread;
  const fs::file_time_type written = fs::last_write_time(file, unread);
  return unread ? std::nullopt : std::optional(written);
}

/// Returns the step of the newest checkpoint by the names of the folders.
std::optional<std::uint64_t> newest_checkpoint(report::ContainedFiles& files,
                                               const fs::path& run_folder) {
  std::optional<std::uint64_t> newest;
  try {
    for (const files::Entry& entry : files.list(checkpoint::checkpoints_folder(run_folder)))
      newest = std::max(newest, checkpoint::step_of(entry.name));
  } catch (const files::FileError&) {
    // No folder of checkpoints.
  }
  return newest;
}

}  // namespace

Glance::Glance(report::ContainedFiles& files, fs::path folder)
    : files_(files), folder_(std::move(folder)) {
  std::error_code unread;
  const fs::path whole = fs::canonical(folder_, unread);
  name_ = report::readable_text((unread ? folder_ : whole).filename().string());
}

std::string Glance::text_of(const char* file) const {
  try {
    return files::read_small(files_, folder_ / file, report::ContainedFiles::kMostBytes);
  } catch (const Error&) {
    return "";
  }
}

bool Glance::look() {
  const run::RunState old_state = state_;
  bool has_changed = read_reports();
  if (is_close_) {
    read_recipe();
    has_changed |= read_evaluations();
  }
  read_state();
  return has_changed || state_ != old_state;
}

void Glance::look_closer() {
  is_close_ = true;
  read_recipe();
  read_evaluations();
}

void Glance::read_recipe() {
  const auto written = time_of(folder_ / run::kResolvedFile);
  if (written == recipe_written_) return;
  recipe_written_ = written;
  const report::StoredRecipe recipe =
      report::stored_recipe(report::readable_text(text_of(run::kResolvedFile)));
  const std::string before = monitor_.metric;
  monitor_ = recipe.monitor();
  // Which evaluation is best is asked anew of all of them.
  if (monitor_.metric != before) forget_evaluations();
  length_ = length_of_run(recipe.tree);
}

bool Glance::read_reports() {
  int file = -1;
  try {
    file = files_.open_large(folder_ / track::kMetricsFile);
  } catch (const files::FileError&) {
    const bool had_reports = !reports_.empty();
    reports_.clear();
    return had_reports;
  }
  const auto written = time_of(folder_ / track::kMetricsFile);
  const std::uint64_t size = files_.size(file);
  if (written == written_ && size == journal_size_) {
    files_.close(file);
    return false;
  }
  written_ = written;
  journal_size_ = size;
  std::array<char, kEndOfJournal> bytes{};
  const std::uint64_t from = size - std::min<std::uint64_t>(size, bytes.size());
  const ssize_t got = ::pread(file, bytes.data(), bytes.size(), static_cast<off_t>(from));
  files_.close(file);
  std::string_view text(bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  if (from > 0) text.remove_prefix(std::min(text.find('\n'), text.size()));
  reports_.clear();
  report::JournalLine reader;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == text.npos) break;  // a line that is still being written
    if (end > 0) add_report(reader, text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  return true;
}

void Glance::forget_evaluations() {
  evaluations_.emplace(files_, folder_ / track::kEvaluationsFile);
  last_evaluations_.clear();
  best_.reset();
  unreadable_lines_ = 0;
}

bool Glance::read_evaluations() {
  bool has_changed = false;
  if (!evaluations_) forget_evaluations();
  try {
    evaluations_->read_on(
        [&](std::string_view line) {
          add_evaluation(line);
          has_changed = true;
        },
        [&] {
          last_evaluations_.clear();
          best_.reset();
          unreadable_lines_ = 0;
          has_changed = true;
        });
  } catch (const files::FileError&) {
    // A list shows what can be read.
  }
  return has_changed;
}

void Glance::read_state() {
  try {
    const files::LockState lock = files::look_at_lock(folder_);
    holder_ = report::readable_text(lock.holder);
    std::optional<run::EndState> end;
    const std::string text = lock.is_held ? "" : text_of(run::kEndFile);
    if (!text.empty()) end = run::end_state_in(text);
    state_ = run::state_of(lock, newest_checkpoint(files_, folder_), end);
  } catch (const Error&) {
    state_ = run::RunState::unreadable;
  } catch (const nlohmann::json::exception&) {
    state_ = run::RunState::unreadable;
  }
}

void Glance::add_report(report::JournalLine& reader, std::string_view line) {
  // Lines that cannot be read are left out: the page of the run counts them.
  if (!reader.read(line) || std::isnan(reader.number("step", NAN))) return;
  track::Report& added = reports_.emplace_back();
  for (const track::ReportField& field : track::kReportFields) {
    const double value = reader.number(field.name, 0);
    const auto set = [&](auto member) {
      using Number = std::remove_reference_t<decltype(added.*member)>;
      constexpr double kMost = 9e18;  // of a count; a number of anybody may be beyond it, or NaN
      if (std::is_floating_point_v<Number> || (value >= 0 && value < kMost))
        added.*member = static_cast<Number>(value);
    };
    std::visit(set, field.member);
  }
}

void Glance::add_evaluation(std::string_view line) {
  try {
    plan::Evaluation evaluation = track::evaluation_in(line);
    for (const auto& [name, value] : evaluation.values) {
      if (evaluation.set + "/" + name != monitor_.metric || !std::isfinite(value)) continue;
      const bool is_better = !best_ || (monitor_.goal == plan::Goal::low ? value < best_->value
                                                                         : value > best_->value);
      if (is_better) best_ = plan::Value{evaluation.step, value};
    }
    const auto same = std::find_if(last_evaluations_.begin(), last_evaluations_.end(),
                                   [&](const auto& each) { return each.set == evaluation.set; });
    if (same != last_evaluations_.end()) {
      *same = std::move(evaluation);
    } else {
      last_evaluations_.push_back(std::move(evaluation));
    }
  } catch (const nlohmann::json::exception&) {
    ++unreadable_lines_;
  }
}

std::optional<double> Glance::share() const {
  if (reports_.empty()) return std::nullopt;
  return length_.share(reports_.back());
}

std::optional<double> Glance::seconds_left() const {
  if (state_ != run::RunState::running) return std::nullopt;
  return length_.seconds_left(reports_);
}

}  // namespace knead::board
