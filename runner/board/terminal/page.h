#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "runner/board/runs/watched_folder.h"
#include "runner/board/terminal/line.h"
#include "runner/board/terminal/run_metrics.h"

namespace knead::board {

/// Holds the choices of the user.
struct View {
  std::filesystem::path chosen{};  // the folder of the run whose curves are drawn
  std::size_t first_metric = 0;    // that is drawn first
  bool is_log = false;
  double smoothing = 0;
  bool shows_help = false;
};

/// Describes how much the terminal can show.
struct ScreenSize {
  std::size_t columns = 80;
  std::size_t rows = 24;
  bool has_colour = true;
  bool is_ascii = false;
};

/// Returns the lines of a whole screen, at most `rows` of at most `columns`. `curves` are those of
/// the chosen run; null if there is no run.
std::vector<Line> page(const WatchedFolder& folder, const RunMetrics* curves, const View& view,
                       const ScreenSize& size);

}  // namespace knead::board
