#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "runner/board/runs/watched_folder.h"
#include "runner/board/terminal/line.h"

namespace knead::board {

/// Returns the style in which the state of a run is shown.
Style style_of(run::RunState state);

/// Draws the table of runs: a header and a line for each, at most `rows` lines, scrolled so that
/// the chosen run is seen. A narrow table lacks its least important columns.
std::vector<Line> run_table(const WatchedFolder& folder, const std::filesystem::path& chosen,
                            std::size_t columns, std::size_t rows, bool has_colour);

}  // namespace knead::board
