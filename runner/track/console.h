#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runner/plan/evaluations.h"
#include "runner/track/report.h"

namespace knead::track {

/// Where a console writes, and by which clock. A struct of functions, so that tests have their own.
struct Terminal {
  bool is_live = false;                         // the line can be redrawn, in colour
  std::function<int()> columns;                 // how wide it is now
  std::function<void(std::string_view)> write;  // all of a text
  std::function<double()> now;                  // seconds, from anywhere, never backwards
};

/// Standard error. Not live in a pipe, and where NO_COLOR, CI or TERM=dumb are set.
Terminal standard_error();

/// How long a run is, as far as it is known, and where this start of it begins.
struct Length {
  std::optional<std::uint64_t> steps;
  std::optional<double> epochs;
  std::optional<double> seconds;  // where train.until is a time
  std::uint64_t first_step = 0;   // steps done by earlier starts
  double first_second = 0;        // Report::time of earlier starts
};

/// What a person sees of a run. On a live terminal: a progress line at the bottom, redrawn at most
/// ten times a second, cut to the terminal's width,
///
///   step  470/940   50%  epoch 10.0/20  loss 0.2314     lr 0.001      12.4k samples/s  38 s left
///   ▇▅▃▂▁
///
/// and everything else as lines above it. Elsewhere the same as plain lines, few enough for the log
/// of a CI job: the first report, then one when the last is at least 2 s ago and at least a 30th of
/// the time so far (never more than a minute), and the last report at the end. Evaluations, notes
/// and warnings are always shown.
///
/// The time left is honest: it follows from the speed of the last half minute, or of the last half
/// of the time, whichever is longer, evaluations and saves included. Nothing is said for the first
/// second.
///
/// Nothing here has any influence on training. On one thread.
class Console {
 public:
  Console(Terminal terminal, Length length);

  /// Clears the progress line, if one is shown.
  ~Console();
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  void report(const Report& report);
  void evaluated(const plan::Evaluation& evaluation, bool is_best);

  /// A line of its own: "saved step 470", "resumed from step 470".
  void note(std::string_view text);

  /// "warning: …"
  void warn(std::string_view text);

  /// The last report as a line that stays, unless it was shown as one. After it nothing is redrawn.
  void finish();

 private:
  struct Point {
    double time;
    std::uint64_t step;
  };

  void draw();
  void clear();
  void line(std::string_view text);
  bool plain_line_is_due(double now) const;
  std::string progress(int columns) const;
  std::optional<double> seconds_left() const;
  void remember(const Report& report);

  Terminal terminal_;
  Length length_;
  double started_;
  std::optional<Report> last_;
  bool last_is_shown_ = false;      // as a line that stays
  bool is_drawn_ = false;           // a progress line is at the bottom
  std::optional<double> drawn_at_;  // or written, as a plain line
  std::vector<Point> points_;       // thinned out as they become many
  std::vector<double> losses_;      // of the sparkline, means of as many reports each as it takes
};

}  // namespace knead::track
