#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "runner/plan/evaluations.h"
#include "runner/report/contained_files.h"
#include "runner/report/growing_lines.h"
#include "runner/report/journal_line.h"
#include "runner/report/thinned_series.h"

namespace knead::report {

/// A number of the reports of training by its name in metrics.jsonl: "loss", "gradient_norm".
struct Curve {
  std::string name;
  ThinnedSeries series;
};

/// Follows metrics.jsonl of a run. Takes any number that a line has, so that a newer program's are
/// shown too, but those that say where a report stands: step, epoch, time and samples. Not
/// thread-safe.
class Curves {
 public:
  /// Further names of numbers are left out.
  static constexpr std::size_t kMostCurves = 64;

  /// Borrows `files`. `columns` is how fine curves are: see ThinnedSeries.
  Curves(ContainedFiles& files, const std::filesystem::path& run_folder, std::size_t columns);

  /// Reads the lines that were appended. Returns whether there was any, or the file is another one.
  /// Throws files::FileError.
  bool read_on();

  const std::vector<Curve>& curves() const { return curves_; }

  /// Returns the curve of a name; null if there is none.
  const ThinnedSeries* find(std::string_view name) const;

  /// Returns the numbers of the last report, axes included; empty before the first one.
  const std::vector<std::pair<std::string, double>>& last() const { return last_; }

  /// Returns a number of the last report; NaN if it has none of this name.
  double last_number(std::string_view name) const;

  /// Returns where the reports stand; the values of the columns have no meaning.
  const std::vector<Column>& axes() const { return axes_.columns(); }

  /// Returns how many reports were read.
  std::uint64_t reports() const { return reports_; }

  /// Returns where a step stands on the other axes, from the reports around it. An evaluation and a
  /// checkpoint know their steps only.
  Position position_of(double step) const;

  /// Returns a sentence for each kind of line that is left out; empty if all were read.
  std::vector<std::string> notes() const;

 private:
  void take(std::string_view line);
  void forget();

  std::size_t columns_;
  GrowingLines lines_;
  JournalLine line_;
  std::vector<Curve> curves_;
  ThinnedSeries axes_;  // of no value: where the reports stand
  std::vector<std::pair<std::string, double>> last_;
  std::uint64_t reports_ = 0;
  std::uint64_t unreadable_ = 0;
};

/// Follows evaluations.jsonl of a run. Not thread-safe.
class EvaluationJournal {
 public:
  /// Later evaluations are counted, and not held.
  static constexpr std::size_t kMost = 100'000;

  EvaluationJournal(ContainedFiles& files, const std::filesystem::path& run_folder);

  /// Reads as Curves::read_on() does.
  bool read_on();

  const plan::Evaluations& evaluations() const { return evaluations_; }
  std::vector<std::string> notes() const;

 private:
  void take(std::string_view line);

  GrowingLines lines_;
  JournalLine line_;
  plan::Evaluations evaluations_;
  std::uint64_t taken_ = 0;
  std::uint64_t left_out_ = 0;
  std::uint64_t unreadable_ = 0;
};

}  // namespace knead::report
