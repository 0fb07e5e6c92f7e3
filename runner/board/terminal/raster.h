#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "runner/board/terminal/line.h"

namespace knead::board {

/// A picture of dots in cells of a terminal: a cell has 2 × 4 dots, which a braille character
/// (U+2800 …) shows.
class Raster {
 public:
  static constexpr int kAcross = 2;  // dots in a cell
  static constexpr int kDown = 4;

  /// Sizes in cells, at least 1.
  Raster(int columns, int rows);

  int width() const { return columns_ * kAcross; }  // in dots
  int height() const { return rows_ * kDown; }

  /// Sets the dot at x from the left and y from the top; a dot outside is left out. The style of a
  /// cell is that of its last dot.
  void dot(int x, int y, Style style);
  /// Sets the dots of a straight line between two dots.
  void segment(int x0, int y0, int x1, int y1, Style style);
  /// Puts a character over the cell of a dot.
  void mark(int x, int y, std::string_view character, Style style);

  /// Adds a row of cells, from 0 at the top, to a line. `is_ascii`: for terminals without braille,
  /// a cell is one of " .:*" by how many dots it has, and a mark is 'o'.
  void write_row(int row, bool is_ascii, Line& line) const;

 private:
  struct Cell {
    std::uint8_t dots = 0;
    Style style = Style::plain;
    std::string mark;
  };
  Cell* cell_at(int x, int y);

  int columns_;
  int rows_;
  std::vector<Cell> cells_;
};

}  // namespace knead::board
