#include "runner/board/terminal/raster.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace knead::board {
namespace {

/// Returns the braille character of a cell. The bits count the dots as Unicode does: three down the
/// left, three down the right, then the lowest two.
std::string braille(std::uint8_t dots) {
  const int code = 0x2800 + dots;
  return {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3F)),
          static_cast<char>(0x80 | (code & 0x3F))};
}

std::string as_ascii(std::uint8_t dots) {
  const int count = std::popcount(dots);
  return count == 0 ? " " : count <= 2 ? "." : count <= 4 ? ":" : "*";
}

}  // namespace

Raster::Raster(int columns, int rows)
    : columns_(columns),
      rows_(rows),
      cells_(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows)) {}

Raster::Cell* Raster::cell_at(int x, int y) {
  if (x < 0 || y < 0 || x >= width() || y >= height()) return nullptr;
  return &cells_[static_cast<std::size_t>(y / kDown * columns_ + x / kAcross)];
}

void Raster::dot(int x, int y, Style style) {
  static constexpr std::uint8_t kBits[kDown][kAcross] = {
      {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
  Cell* cell = cell_at(x, y);
  if (!cell) return;
  cell->dots |= kBits[y % kDown][x % kAcross];
  cell->style = style;
}

void Raster::segment(int x0, int y0, int x1, int y1, Style style) {
  const int steps = std::max({std::abs(x1 - x0), std::abs(y1 - y0), 1});
  for (int i = 0; i <= steps; ++i) {
    // Rounded to the nearest dot, from either end the same.
    const auto at = [&](int from, int to) {
      return from + (2 * (to - from) * i + (to < from ? -steps : steps)) / (2 * steps);
    };
    dot(at(x0, x1), at(y0, y1), style);
  }
}

void Raster::mark(int x, int y, std::string_view character, Style style) {
  if (Cell* cell = cell_at(x, y)) {
    cell->mark = character;
    cell->style = style;
  }
}

void Raster::write_row(int row, bool is_ascii, Line& line) const {
  std::string text;
  Style style = Style::plain;
  for (int column = 0; column < columns_; ++column) {
    const Cell& cell = cells_[static_cast<std::size_t>(row * columns_ + column)];
    const bool is_empty = cell.dots == 0 && cell.mark.empty();
    // Blanks take the style of what is before them, for fewer escape sequences.
    if (!is_empty && cell.style != style) {
      line.add(text, style);
      text.clear();
      style = cell.style;
    }
    text += is_empty             ? " "
            : !cell.mark.empty() ? (is_ascii ? "o" : cell.mark)
            : is_ascii           ? as_ascii(cell.dots)
                                 : braille(cell.dots);
  }
  line.add(text, style);
}

}  // namespace knead::board
