#pragma once

#include <functional>
#include <string_view>

namespace knead::track {

/// Provides a console with its output and its clock. It consists of functions, so that tests can
/// replace them.
struct Terminal {
  bool is_live = false;                         // can redraw a line and show colour
  std::function<int()> columns;                 // the current width
  std::function<void(std::string_view)> write;  // writes all of a text
  std::function<double()> now;                  // monotonic time in seconds
  std::function<void(std::string_view)> log{};  // receives each permanent line; may be empty
};

/// Returns a terminal of standard error and the monotonic clock. Text that cannot be written is
/// lost.
Terminal standard_error();

/// Returns whether a stream (1 or 2) is a terminal that can redraw a line and show colour. A pipe
/// is not; NO_COLOR, CI, TERM=dumb and an unset TERM disable it.
bool is_live(int stream);

}  // namespace knead::track
