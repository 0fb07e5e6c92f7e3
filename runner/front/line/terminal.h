#pragma once

#include <string>

namespace knead::front {

/// Returns whether a stream (1 or 2) is a terminal with colour; NO_COLOR, CI, TERM=dumb and an
/// unset TERM disable it.
bool wants_colour(int stream);

/// Writes a text to standard output and flushes it. Throws knead::Error if that fails (a full
/// disk); a closed pipe is not an error.
void print(const std::string& text);

/// Writes "knead: message" and the remedy, in a line below, to standard error. An empty remedy has
/// no line. A failure of the write is ignored.
void complain(const std::string& message, const std::string& remedy);

}  // namespace knead::front
