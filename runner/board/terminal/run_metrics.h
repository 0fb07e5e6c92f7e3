#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runner/report/contained_files.h"
#include "runner/report/curves.h"
#include "runner/report/thinned_series.h"

namespace knead::board {

/// Who reports what training does, in Metric::series.
inline constexpr std::string_view kTraining = "train";

/// The numbers of a run that share a chart: what training reports, and the same metric of the sets
/// that are evaluated.
struct Metric {
  std::string name;  // "loss", "accuracy", "lr"
  /// By who reports it: kTraining, or the name of a set in the order of appearance. They belong to
  /// the run, and are valid until its next read_on().
  std::vector<std::pair<std::string, const report::ThinnedSeries*>> series{};
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

  report::ContainedFiles files_;
  report::Curves reports_;
  report::EvaluationJournal evaluations_;
  /// The evaluations as series, by set and name, in the order of appearance.
  struct Evaluated {
    std::string set;
    std::string name;
    report::ThinnedSeries series;
  };
  std::vector<Evaluated> evaluated_;
};

}  // namespace knead::board
