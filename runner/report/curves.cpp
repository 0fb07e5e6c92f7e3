#include "runner/report/curves.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "runner/track/tracker.h"

namespace knead::report {
namespace {

/// Returns whether a number says where a report stands and is no curve.
bool is_axis(std::string_view name) {
  return name == "step" || name == "epoch" || name == "time" || name == "samples";
}

/// Returns a sentence on lines that are left out, if there are any.
void add_note(std::vector<std::string>& notes, const char* file, std::uint64_t lines,
              const char* why) {
  if (lines == 0) return;
  notes.push_back(fmt::format("{} {} of {} {} left out: {}", lines, lines == 1 ? "line" : "lines",
                              file, lines == 1 ? "is" : "are", why));
}

double between(double from, double to, double share) { return from + (to - from) * share; }

Position between(const Position& from, const Position& to, double step) {
  const double length = to.step - from.step;
  const double share = length > 0 ? (step - from.step) / length : 0;
  return {step, between(from.epoch, to.epoch, share), between(from.seconds, to.seconds, share)};
}

}  // namespace

Curves::Curves(ContainedFiles& files, const std::filesystem::path& run_folder, std::size_t columns)
    : columns_(columns), lines_(files, run_folder / track::kMetricsFile), axes_(columns) {}

void Curves::forget() {
  curves_.clear();
  axes_ = ThinnedSeries(columns_);
  last_.clear();
  reports_ = unreadable_ = 0;
}

bool Curves::read_on() {
  const std::uint64_t before = reports_;
  const auto found =
      lines_.read_on([this](std::string_view line) { take(line); }, [this] { forget(); });
  return found == GrowingLines::Found::restarted || reports_ != before;
}

void Curves::take(std::string_view text) {
  if (!line_.read(text) || std::isnan(line_.number("step", NAN))) {
    ++unreadable_;
    return;
  }
  ++reports_;
  const Position at{line_.number("step", 0), line_.number("epoch", 0), line_.number("time", 0)};
  axes_.add({at, 0});
  last_.clear();
  for (const JournalLine::Field& field : line_.fields()) {
    if (!field.is_number) continue;
    last_.emplace_back(field.key, field.number);
    if (is_axis(field.key)) continue;
    auto curve = std::find_if(curves_.begin(), curves_.end(),
                              [&](const Curve& each) { return each.name == field.key; });
    if (curve == curves_.end()) {
      if (curves_.size() == kMostCurves) continue;
      curves_.push_back({std::string(field.key), ThinnedSeries(columns_)});
      curve = std::prev(curves_.end());
    }
    curve->series.add({at, field.number});
  }
}

const ThinnedSeries* Curves::find(std::string_view name) const {
  for (const Curve& curve : curves_)
    if (curve.name == name) return &curve.series;
  return nullptr;
}

double Curves::last_number(std::string_view name) const {
  for (const auto& [each, value] : last_)
    if (each == name) return value;
  return NAN;
}

Position Curves::position_of(double step) const {
  const std::vector<Column>& columns = axes_.columns();
  if (columns.empty()) return {step, 0, 0};
  const auto after = std::find_if(columns.begin(), columns.end(),
                                  [&](const Column& each) { return each.last.step >= step; });
  // Training begins at 0 on each axis; behind the last report it goes on as before.
  const Position start{};
  if (after == columns.end()) {
    const Position& last = columns.back().last;
    return last.step > 0 ? between(start, last, step) : Position{step, last.epoch, last.seconds};
  }
  if (after->first.step <= step) return between(after->first, after->last, step);
  return between(after == columns.begin() ? start : std::prev(after)->last, after->first, step);
}

std::vector<std::string> Curves::notes() const {
  std::vector<std::string> notes;
  add_note(notes, track::kMetricsFile, unreadable_, "not the report of a step");
  add_note(notes, track::kMetricsFile, lines_.too_long(), "longer than 64 kB");
  return notes;
}

EvaluationJournal::EvaluationJournal(ContainedFiles& files, const std::filesystem::path& run_folder)
    : lines_(files, run_folder / track::kEvaluationsFile) {}

bool EvaluationJournal::read_on() {
  const std::uint64_t before = taken_;
  const auto found = lines_.read_on([this](std::string_view line) { take(line); },
                                    [this] {
                                      evaluations_.clear();
                                      taken_ = left_out_ = unreadable_ = 0;
                                    });
  return found == GrowingLines::Found::restarted || taken_ != before;
}

void EvaluationJournal::take(std::string_view text) {
  ++taken_;
  const double step = line_.read(text) ? line_.number("step", NAN) : NAN;
  if (!(step >= 0 && step < 1e18) || line_.text("set").empty()) {
    ++unreadable_;
    return;
  }
  if (evaluations_.size() == kMost) {
    ++left_out_;
    return;
  }
  plan::Evaluation evaluation;
  evaluation.step = static_cast<std::uint64_t>(step);
  evaluation.set = line_.text("set");
  evaluation.seconds = line_.number("seconds", 0);
  for (const JournalLine::Field& field : line_.fields()) {
    if (field.is_number && field.key != "step" && field.key != "seconds")
      evaluation.values.emplace_back(field.key, field.number);
  }
  evaluations_.push_back(std::move(evaluation));
}

std::vector<std::string> EvaluationJournal::notes() const {
  std::vector<std::string> notes;
  add_note(notes, track::kEvaluationsFile, unreadable_, "not an evaluation");
  add_note(notes, track::kEvaluationsFile, left_out_, "a page holds 100,000 evaluations");
  add_note(notes, track::kEvaluationsFile, lines_.too_long(), "longer than 64 kB");
  return notes;
}

}  // namespace knead::report
