#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace knead::launch {

/// Limits how many lines last_lines() returns.
inline constexpr std::size_t kMostLastLines = 10;
/// Limits the bytes of these lines together.
inline constexpr std::size_t kMostLastBytes = 2048;

/// Returns the last lines of a program's output, oldest first, without line ends and safe to print
/// on a terminal: escape sequences are left out; other control characters, invalid UTF-8 and
/// characters that change the direction of text become '?', a tab becomes a blank. Of a line that
/// was written over after '\r' only the last version is kept. Blank lines are left out. A line that
/// alone exceeds the limit keeps its end, behind "…". Pure.
std::vector<std::string> last_lines(std::string_view output);

}  // namespace knead::launch
