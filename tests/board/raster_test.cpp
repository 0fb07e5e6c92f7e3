#include "runner/board/terminal/raster.h"

#include <catch2/catch.hpp>

using knead::board::Line;
using knead::board::Raster;
using knead::board::Style;

namespace {

std::vector<std::string> rows_of(const Raster& raster, bool is_ascii = false) {
  std::vector<std::string> rows;
  for (int row = 0; row < raster.height() / Raster::kDown; ++row) {
    Line line(100, false);
    raster.write_row(row, is_ascii, line);
    rows.push_back(line.text());
  }
  return rows;
}

}  // namespace

TEST_CASE("each dot of a cell has its bit of a braille character") {
  const std::vector<std::string> expected{"⠁", "⠈", "⠂", "⠐", "⠄", "⠠", "⡀", "⢀"};
  for (int i = 0; i < 8; ++i) {
    Raster raster(1, 1);
    raster.dot(i % 2, i / 2, Style::plain);
    CHECK(rows_of(raster) == std::vector{expected[static_cast<std::size_t>(i)]});
  }
}

TEST_CASE("segments join two dots, the same from either end, and dots outside are left out") {
  Raster rising(3, 2);
  rising.segment(0, 7, 5, 0, Style::plain);
  Raster falling(3, 2);
  falling.segment(5, 0, 0, 7, Style::plain);
  CHECK(rows_of(rising) == std::vector<std::string>{" ⢀⠎", "⡰⠁ "});
  CHECK(rows_of(rising) == rows_of(falling));
  Raster full(1, 1);
  full.segment(0, -5, 0, 50, Style::plain);
  full.segment(1, 0, 1, 3, Style::plain);
  CHECK(rows_of(full) == std::vector<std::string>{"⣿"});
  CHECK(rows_of(full, true) == std::vector<std::string>{"*"});
}

TEST_CASE("a mark stands for its cell, and ASCII shows how full a cell is") {
  Raster raster(4, 1);
  raster.dot(0, 0, Style::plain);
  raster.segment(2, 0, 2, 2, Style::plain);
  raster.mark(4, 1, "●", Style::yellow);
  CHECK(rows_of(raster) == std::vector<std::string>{"⠁⠇● "});
  CHECK(rows_of(raster, true) == std::vector<std::string>{".:o "});
}

TEST_CASE("cells of one style share an escape sequence") {
  Raster raster(4, 1);
  raster.dot(0, 0, Style::cyan);
  raster.dot(4, 0, Style::cyan);
  raster.dot(6, 0, Style::red);
  Line line(10, true);
  raster.write_row(0, false, line);
  CHECK(line.text() == "\033[36m⠁ ⠁\033[0m\033[31m⠁\033[0m");
  CHECK(line.columns() == 4);
}
