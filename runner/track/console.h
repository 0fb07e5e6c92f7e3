#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runner/plan/evaluations.h"
#include "runner/track/report.h"
#include "runner/track/sparkline.h"
#include "runner/track/terminal.h"

namespace knead::track {

/// How long a run is, as far as it is known, and where this start of it begins.
struct Length {
  std::optional<std::uint64_t> steps{};
  std::optional<double> epochs{};
  std::optional<double> seconds{};  // where train.until is a time
  std::uint64_t first_step = 0;     // steps done by earlier starts
  double first_second = 0;          // Report::time of earlier starts
};

/// What a person sees of a run. On a live terminal: a progress line at the bottom, redrawn at most
/// ten times a second and as long as the terminal is wide, the least important parts left out,
///
///   step  470/940  50%  epoch 10.0/20  loss 0.2314  lr 0.001  12.4k samples/s  38 s left  ▇▅▃▂▁
///
/// and everything else as lines above it. Elsewhere the same as plain lines, few enough for the log
/// of a CI job: the first report, then one when the last line is at least 2 s ago and at least a
/// 30th of the time so far (after half an hour: one a minute), and the last report at the end.
/// Evaluations, notes and warnings are always shown.
///
/// The time left is honest: it follows from the speed over the last half minute or the last half of
/// this start, whichever is longer, with all pauses for evaluations and saves. In the first second
/// nothing is said of it.
///
/// Nothing here has any influence on training. On one thread.
class Console {
 public:
  Console(Terminal terminal, Length length);

  /// Clears the progress line, if there is one.
  ~Console();
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  void report(const Report& report);
  void evaluated(const plan::Evaluation& evaluation, bool is_best);

  /// A line of its own: "saved step 470", "resumed from step 470".
  void note(std::string_view text);

  /// "warning: …"
  void warn(std::string_view text);

  /// The end: the last report, with the time that all took, as a line that stays; only the time,
  /// where the report is there already.
  void finish();

 private:
  struct Point {
    double time;
    double done;  // of what the length of the run is given in: steps, or seconds
  };

  void draw(double now);
  /// A line that stays; on a terminal one word of it in colour.
  void line(const std::string& text, std::string_view word = "", const char* colour = "");
  std::size_t columns() const;
  bool plain_line_is_due(double now) const;
  void remember(double now);
  double done() const;
  double all() const;
  std::string step_in_words(std::uint64_t step) const;
  std::string percent() const;
  std::string epoch() const;
  std::string time_left(double now) const;
  std::string progress(const std::string& time, std::size_t columns) const;

  Terminal terminal_;
  Length length_;
  double started_;
  double last_line_;       // when the last line was drawn or written
  bool is_drawn_ = false;  // a progress line is at the bottom
  std::optional<Report> last_;
  bool is_written_ = false;  // of a plain console: the last report stands as a line already
  std::vector<Point> points_;  // thinned out as they become many
  Sparkline losses_;
};

}  // namespace knead::track
