#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "runner/report/contained_files.h"
#include "runner/report/curves.h"
#include "runner/report/thinned_series.h"

namespace knead::board {

/// Names the source of the numbers that training reports, in Source::name.
inline constexpr std::string_view kTraining = "train";

/// A curve of a metric.
struct Source {
  std::string name;  // who reports it: kTraining, or the name of a set
  /// Belongs to the run, and is valid until its next read_on().
  const report::ThinnedSeries* series = nullptr;
  double last = 0;  // the last value, possibly not finite
};

/// The numbers of a run that share a chart: what training reports, and the same metric of the sets
/// that are evaluated.
struct Metric {
  std::string name;               // "loss", "accuracy", "lr"
  std::vector<Source> sources{};  // training first, then sets in the order of appearance
};

/// All curves of a run, in bounded memory, kept up to date by reading the lines of its journals
/// that are new. Lines that cannot be read are left out.
class RunMetrics {
 public:
  /// Throws files::FileError if there is no such folder.
  explicit RunMetrics(const std::filesystem::path& folder);
  RunMetrics(const RunMetrics&) = delete;
  RunMetrics& operator=(const RunMetrics&) = delete;

  /// Reads new lines. Returns whether there were any, or a journal has begun again.
  bool read_on();

  /// Returns the metrics in the order of journals: loss, those of evaluations, then what else
  /// training reports.
  std::vector<Metric> metrics() const;

 private:
  void add_evaluations();
  double last_report_of(std::string_view name) const;

  report::ContainedFiles files_;
  report::Curves reports_;
  report::EvaluationJournal evaluations_;
  /// The evaluations as series, by set and name, in the order of appearance.
  struct Evaluated {
    std::string set;
    std::string name;
    report::ThinnedSeries series;
    double last = 0;
  };
  std::vector<Evaluated> evaluated_;
};

}  // namespace knead::board
