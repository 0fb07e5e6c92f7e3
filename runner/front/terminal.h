#pragma once

#include <string>

namespace knead::front {

/// Whether a stream (1 or 2) is a terminal that wants colour: NO_COLOR, CI and TERM=dumb say no.
bool wants_colour(int stream);

/// Writes all of a text to standard output and makes sure that it arrived. Throws knead::Error
/// where it did not (a full disk); a reader that has gone away is fine.
void print(const std::string& text);

/// "knead: message", and the remedy below, to standard error.
void complain(const std::string& message, const std::string& remedy);

}  // namespace knead::front
