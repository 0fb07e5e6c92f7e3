#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runner/plan/evaluations.h"
#include "runner/track/generated_text.h"
#include "runner/track/report.h"
#include "runner/track/sparkline.h"
#include "runner/track/terminal.h"

namespace knead::track {

/// Holds the length of a run, as far as it is known, and the point at which this start of the run
/// begins.
struct Length {
  /// Steps of the whole run, earlier starts included; std::nullopt if train.until is a time.
  std::optional<std::uint64_t> steps{};
  /// Epochs of the whole run; std::nullopt if train.until is a time.
  std::optional<double> epochs{};
  /// Seconds of training of the whole run; set only if train.until is a time.
  std::optional<double> seconds{};
  /// Steps that earlier starts did; 0 for a new run.
  std::uint64_t first_step = 0;
  /// Report::time at the end of the earlier starts; 0 for a new run.
  double first_second = 0;
  /// Tokens in a sample: the speed is then in tokens. 0 if samples do not consist of tokens.
  double tokens_per_sample = 0;
};

/// Stands before each line of a generated text, in log.txt too: no other line begins so.
inline constexpr std::string_view kTextMark = "  | ";

/// Shows a run to the user. On a live terminal it draws a progress line at the bottom, at most ten
/// times a second; if the terminal is narrow, the line lacks its least important parts:
///
///   step  470/940  50%  epoch 10.0/20  loss 0.2314  lr 0.001  12.4k samples/s  38 s left  ▇▅▃▂▁
///
/// All other lines appear above it. On other outputs reports become plain lines, few enough for the
/// log of a CI job: the first report, then a report when the last line is at least 2 s ago and at
/// least a 30th of the time so far (after half an hour one per minute), and the last report at the
/// end. Evaluations, notes and warnings are always shown.
///
/// The time left is computed from the speed over the last half minute or the last half of this
/// start, whichever is longer, including pauses for evaluations and saves. It is not shown in the
/// first second.
///
/// The console has no influence on training. Not thread-safe.
class Console {
 public:
  /// Takes the current time of the terminal's clock as the beginning of this start. Writes nothing
  /// yet.
  Console(Terminal terminal, Length length);

  /// Clears the progress line if one is drawn, so that later output begins on an empty line.
  ~Console();
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  /// Updates the progress line, or writes a plain line if one is due. The first report is always
  /// shown.
  void report(const Report& report);

  /// Writes a line with the values of an evaluation, marked if it is the best so far.
  void evaluated(const plan::Evaluation& evaluation, bool is_best);

  /// Writes a text that the model wrote behind a prompt: a line with the step and the prompt, then
  /// each line of the text behind kTextMark; of a long text only its first lines. Nothing in them
  /// controls the terminal.
  void generated(const GeneratedText& text);

  /// Writes a line of its own: "saved step 470", "resumed from step 470". `text` has no newline.
  void note(std::string_view text);

  /// Writes the line "warning: …". `text` has no newline.
  void warn(std::string_view text);

  /// Writes the last report and the time of the whole run as a final line; only the time if the
  /// report is already written as a plain line. Does nothing without a report. Reports must not
  /// follow.
  void finish();

 private:
  /// A point of the progress over time, from which the speed is computed.
  struct Point {
    double time;
    double done;  // in the unit of the run's length: steps, or seconds
  };

  /// Draws the progress line from the last report.
  void draw(double now);

  /// Writes a permanent line to the terminal and the log, without what controls a terminal and at
  /// most kMostToldBytes of it; on a live terminal `word` has a colour.
  void line(const std::string& said, std::string_view word = "", const char* colour = "");
  /// Returns what removes the progress line and leaves the cursor at its beginning.
  std::string clearing() const;
  /// Returns the columns that a line may use; unlimited if the terminal is not live.
  std::size_t columns() const;
  /// Returns whether the last plain line is long enough ago.
  bool plain_line_is_due(double now) const;

  /// Adds a point, and thins the points out if there are too many.
  void remember(double now);
  double done() const;  // in the unit of Point::done
  double all() const;   // the run's length in this unit; 0 if unknown
  std::string step_in_words(std::uint64_t step) const;
  std::string percent() const;
  std::string epoch() const;
  /// Returns the speed in samples or tokens per second.
  std::string rate() const;
  /// Returns "38 s left", or an empty text while the speed is unknown.
  std::string time_left(double now) const;
  /// Returns the progress line cut to a width, with `time` as its part about the time.
  std::string progress(const std::string& time, std::size_t columns) const;

  Terminal terminal_;
  Length length_;
  double started_;
  double last_line_;       // when the last line was drawn or written
  std::size_t drawn_ = 0;  // columns of the progress line at the bottom; 0 if there is none
  std::optional<Report> last_;
  bool is_written_ = false;    // not live: the last report is written as a line
  std::vector<Point> points_;  // of this start; the first is its beginning
  Sparkline losses_;
};

}  // namespace knead::track
