#pragma once

#include <exception>
#include <string>
#include <string_view>

#include "schema/document/error.h"

namespace knead {

/// Limits the bytes of a message, of its remedy, and of what a call of tell() writes.
inline constexpr std::size_t kMostToldBytes = 1500;

/// Returns a message with its remedy as people read it: "knead: message", the remedy in a line
/// below. Both may hold text of unknown origin: control characters are not shown, further lines are
/// indented, a text of more than kMostToldBytes is shortened. An empty remedy has no line. Pure.
std::string complaint(std::string_view message, std::string_view remedy);

/// Writes complaint() to standard error. Ignores a failure of the write.
void complain(std::string_view message, std::string_view remedy);

/// Writes what went wrong to standard error and returns the exit code of the program: that of an
/// Error; Exit::not_usable if the system refused something, such as a file, memory or a thread;
/// Exit::internal_error for anything else.
Exit complain_of(const std::exception& error);

/// Writes a text of unknown origin, of one or more lines, to standard error: control characters are
/// not shown, a text of more than kMostToldBytes is shortened. Ignores a failure of the write.
void tell(std::string_view text);

/// Writes a text as it is, for programs, to standard output and flushes it. Throws knead::Error if
/// that fails (a full disk); a closed pipe is not an error.
void print(const std::string& text);

}  // namespace knead
