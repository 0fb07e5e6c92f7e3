#pragma once

#include <string>

namespace knead::front {

/// Returns whether a stream (1 or 2) is a terminal with colour; NO_COLOR, CI, TERM=dumb and an
/// unset TERM disable it.
bool wants_colour(int stream);

/// Writes lines for people to standard output, as knead::print() does. They may hold text of
/// unknown origin, such as names of runs: what controls a terminal is left out, but for colours
/// where standard output shows them.
void print_lines(const std::string& text);

}  // namespace knead::front
