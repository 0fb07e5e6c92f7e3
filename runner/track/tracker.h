#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runner/plan/decide.h"
#include "runner/plan/evaluations.h"
#include "runner/track/console.h"
#include "runner/track/journal.h"
#include "runner/track/report.h"
#include "runner/track/sink.h"

namespace knead::track {

/// Where the numbers of a run go: metrics.jsonl, evaluations.jsonl, the sinks and the console. It
/// keeps the evaluations so far, because decisions are made of them. On one thread.
class Tracker {
 public:
  /// In the folder of a run, which must exist. Cuts the journals back to `positions`, to nothing
  /// where a file is not in them: no point is there twice or missing after a resume.
  /// `monitor`: the metric that says which evaluation is best. Throws knead::Error where a journal
  /// cannot be opened, or an evaluation in it cannot be read.
  Tracker(const std::filesystem::path& folder, plan::Objective monitor, const Positions& positions,
          Console& console);

  /// One more place for the numbers from here on. A sink that has seen nothing of this run yet is
  /// given all that the journals hold.
  void add(std::unique_ptr<Sink> sink);

  void report(const Report& report);

  /// The line is on the disk when this returns.
  void evaluated(const plan::Evaluation& evaluation);

  const plan::Evaluations& evaluations() const { return evaluations_; }
  Positions positions() const;

 private:
  std::filesystem::path folder_;
  plan::Objective monitor_;
  Console& console_;
  Journal metrics_;
  Journal evaluated_;
  std::vector<std::unique_ptr<Sink>> sinks_;
  plan::Evaluations evaluations_;
};

/// The names of the two journals in the folder of a run.
inline constexpr const char* kMetricsFile = "metrics.jsonl";
inline constexpr const char* kEvaluationsFile = "evaluations.jsonl";

/// The evaluations in a journal; none where there is no file. A last line without an end is still
/// being written and left out. Throws knead::Error with file and line for one that cannot be read.
plan::Evaluations read_evaluations(const std::filesystem::path& path);

/// The same for reports.
std::vector<Report> read_reports(const std::filesystem::path& path);

/// The last of them, without a look at the others; nothing where there is none.
std::optional<Report> last_report(const std::filesystem::path& path);

/// Reports as evaluations of a set called train, for expectations of train/loss.
plan::Evaluations as_evaluations(const std::vector<Report>& reports);

}  // namespace knead::track
