#pragma once

#include <filesystem>

namespace knead::board {

/// Shows the runs of a folder on the terminal of standard output, as they go on, until the user
/// ends it. See WatchedFolder for what the folder may be. Returns 0, or the signal that has asked
/// the process to end, after which the terminal is as it was. Throws knead::Error if the folder is
/// missing.
int watch_on_screen(const std::filesystem::path& folder);

/// Writes the table of runs to standard output and then, while one of them is running, a line for
/// what is new: an evaluation, the end of a run, and a report when the last line of its run is at
/// least 2 s ago. Returns when none is running, or nobody reads the output any more. Throws as
/// watch_on_screen().
void watch_as_lines(const std::filesystem::path& folder);

}  // namespace knead::board
