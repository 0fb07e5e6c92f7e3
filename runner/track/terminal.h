#pragma once

#include <functional>
#include <string_view>

namespace knead::track {

/// Where a console writes, and by which clock. A struct of functions, so that tests have their own.
struct Terminal {
  bool is_live = false;                         // a line can be redrawn, and have colour
  std::function<int()> columns;                 // how wide it is now
  std::function<void(std::string_view)> write;  // all of a text
  std::function<double()> now;                  // seconds from anywhere, never backwards
  std::function<void(std::string_view)> log{};  // each line that stays, plain; may be empty
};

/// Standard error and the machine's clock. Text that cannot be written is lost.
Terminal standard_error();

/// Whether a stream (1 or 2) is a terminal that can redraw a line and show colour: a pipe cannot,
/// and NO_COLOR, CI and TERM=dumb say no.
bool is_live(int stream);

}  // namespace knead::track
