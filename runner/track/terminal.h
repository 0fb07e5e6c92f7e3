#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace knead::track {

/// Provides a console with its output and its clock. It consists of functions, so that tests can
/// replace them. All are called on the console's thread.
struct Terminal {
  /// The output can redraw a line and show colour.
  bool is_live = false;
  /// Returns the current width in characters; called only for a live terminal.
  std::function<int()> columns;
  /// Writes all of a text.
  std::function<void(std::string_view)> write;
  /// Returns monotonic time in seconds from any origin.
  std::function<double()> now;
  /// Receives each permanent line without newline and colour; may be empty.
  std::function<void(std::string_view)> log{};
  /// Understands the sequence that erases a line. The cell of a Jupyter notebook does not: there
  /// only characters replace characters.
  bool can_erase = true;
};

/// Returns a terminal of standard error and the monotonic clock. Its width is 80 if the system does
/// not tell it. Text that cannot be written is lost.
Terminal standard_error();

/// Returns whether a stream (1 or 2) is a terminal that can redraw a line and show colour. A pipe
/// is not; NO_COLOR, CI, TERM=dumb and an unset TERM disable it.
bool is_live(int stream);

/// Returns a text of several lines as a service of CI folds it in the log of a job, under its first
/// line: a group where GITHUB_ACTIONS is set; elsewhere the text as it is.
std::string foldable(const std::string& text);

}  // namespace knead::track
