#include "runner/track/curve.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace knead::track {

std::vector<std::string> area(const std::vector<double>& values, std::size_t rows) {
  static constexpr std::array<std::string_view, 9> kBlocks{" ", "▁", "▂", "▃", "▄",
                                                           "▅", "▆", "▇", "█"};
  double most = 0;
  for (const double value : values) most = std::max(most, value);
  std::vector<std::string> lines(rows);
  std::vector<std::size_t> ends(rows, 0);  // bytes up to the last block of a line
  for (const double value : values) {
    const double share = most > 0 ? value / most : 0;
    long eighths = std::lround(share * 8 * static_cast<double>(rows));
    if (value > 0) eighths = std::max(eighths, 1L);  // a value above 0 is always visible
    for (std::size_t row = 0; row < rows; ++row) {
      const long below = 8 * static_cast<long>(rows - 1 - row);
      const long height = std::clamp(eighths - below, 0L, 8L);
      lines[row] += kBlocks[static_cast<std::size_t>(height)];
      // A block has three bytes and a blank one, so the end of the text is noted in bytes as it
      // grows.
      if (height > 0) ends[row] = lines[row].size();
    }
  }
  for (std::size_t row = 0; row < rows; ++row) lines[row].resize(ends[row]);
  return lines;
}

}  // namespace knead::track
