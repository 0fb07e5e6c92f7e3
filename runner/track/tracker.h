#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runner/plan/decide.h"
#include "runner/plan/evaluations.h"
#include "runner/track/console.h"
#include "runner/track/generated_text.h"
#include "runner/track/journal.h"
#include "runner/track/predictions.h"
#include "runner/track/report.h"
#include "runner/track/sink.h"

namespace knead::track {

/// Distributes the numbers of a run to metrics.jsonl, evaluations.jsonl, the sinks and the console,
/// and the texts that a language model writes to generated.jsonl, the sinks and the console.
/// Keeps the evaluations so far, because decisions depend on them. After the constructor sinks are
/// added, then each report and evaluation is passed on once, in the order of steps; positions() is
/// asked at each save. Not thread-safe.
class Tracker {
 public:
  /// Opens the journals in the folder of a run, which must exist, and cuts them back to
  /// `positions`, to 0 bytes if a journal is not in them, so that no line is doubled or missing
  /// after a resume. `monitor` is the metric that decides which evaluation is best. Borrows the
  /// console. Throws knead::Error if a journal cannot be opened or an evaluation cannot be read.
  Tracker(const std::filesystem::path& folder, plan::Objective monitor, const Positions& positions,
          Console& console);

  /// Keeps the evaluations that decisions depend on, and writes to no file: for a rank other than
  /// 0.
  Tracker(plan::Objective monitor, plan::Evaluations evaluations, Console& console);

  /// Tells the sinks that the run failed, unless ended() was called before.
  ~Tracker();
  Tracker(const Tracker&) = delete;
  Tracker& operator=(const Tracker&) = delete;

  /// Adds a sink, which has the numbers of the journals already.
  void add(std::unique_ptr<Sink> sink);

  /// Passes a report on to the journal, the sinks and the console. Its line in the journal is not
  /// synced to disk: a power cut may take it, and the next start then warns.
  void report(const Report& report);

  /// Passes an evaluation on. Its line in the journal is synced to disk on return, before any sink
  /// gets it. The console marks it as the best so far if it is the monitored set's.
  void evaluated(const plan::Evaluation& evaluation);

  /// Opens generated.jsonl for a run whose evaluations write text. Such a file of earlier starts is
  /// always open, and cut back as the other journals are. Throws knead::Error as the constructor.
  void expect_texts();

  /// Passes the texts of an evaluation on, after the evaluation itself.
  void generated(const GeneratedTexts& texts);

  /// Keeps the predictions of an evaluation that was passed on before, as a file; those of the best
  /// evaluation stay beside them. Warns if they cannot be written. The sinks get them too.
  void predicted(const Predictions& predictions);

  /// Passes on to the sinks how the numbers of the model are spread.
  void spread(const Histograms& histograms);

  /// Tells the sinks how this start of the run ended. Called at most once, after all numbers.
  void ended(RunEnd end);

  /// Returns all evaluations of the run in order, those of earlier starts included.
  const plan::Evaluations& evaluations() const { return evaluations_; }

  /// Returns the lengths of the journals and of the sinks' files, for a checkpoint. May wait for a
  /// slow sink as long as its spool does.
  Positions positions() const;

 private:
  /// Opens generated.jsonl, cut to `end` bytes.
  void open_generated(std::uint64_t end);

  std::filesystem::path folder_;
  plan::Objective monitor_;
  Console& console_;
  std::optional<Journal> metrics_;  // std::nullopt on a rank that writes no file
  std::optional<Journal> evaluated_;
  std::optional<Journal> generated_;  // std::nullopt also if no evaluation writes text
  std::vector<std::unique_ptr<Sink>> sinks_;
  plan::Evaluations evaluations_;
  bool has_ended_ = false;
};

// The names of the journals in the folder of a run.
inline constexpr const char* kMetricsFile = "metrics.jsonl";
inline constexpr const char* kEvaluationsFile = "evaluations.jsonl";
inline constexpr const char* kGeneratedFile = "generated.jsonl";  // if evaluations write text

/// Reads the evaluations of a journal; empty if there is no file. Omits a last line without a
/// newline, which is still being written, so a journal of a run that is alive can be read. Throws
/// knead::Error with file and line if a line cannot be parsed.
plan::Evaluations read_evaluations(const std::filesystem::path& path);

/// Returns evaluations as the lines of a journal, and reads them from there.
std::string to_text(const plan::Evaluations& evaluations);
plan::Evaluations evaluations_in(const std::string& text);

/// Parses a line of metrics.jsonl. Throws nlohmann::json::exception if it is none.
Report report_in(std::string_view line);

/// Parses a line of evaluations.jsonl. Throws nlohmann::json::exception if it is none.
plan::Evaluation evaluation_in(std::string_view line);

/// Reads the reports of a journal; empty if there is no file. Treats a last line and errors as
/// read_evaluations().
std::vector<Report> read_reports(const std::filesystem::path& path);

/// Reads the last whole report of a journal without parsing the others; std::nullopt if there is
/// none. Reads the whole file. Throws knead::Error if the line cannot be parsed.
std::optional<Report> last_report(const std::filesystem::path& path);

/// Converts reports to evaluations of a set called train with the loss as only value, so that
/// expectations of train/loss are checked like others.
plan::Evaluations as_evaluations(const std::vector<Report>& reports);

}  // namespace knead::track
