#include "runner/board/terminal/line.h"

#include <catch2/catch.hpp>

using namespace knead::board;

TEST_CASE("columns are those of a terminal: wide characters two, combining ones none") {
  CHECK(columns_of("") == 0);
  CHECK(columns_of("run") == 3);
  CHECK(columns_of("Größe ⣿…●") == 9);
  CHECK(columns_of("学習") == 4);
  CHECK(columns_of("e\u0301") == 1);
}

TEST_CASE("a text that is cut ends with a mark, and never with a part of a character") {
  CHECK(cut("digits", 6) == "digits");
  CHECK(cut("digits", 5) == "digi…");
  CHECK(cut("学習率", 5) == "学習…");
  CHECK(cut("学習率", 4) == "学…");
  CHECK(cut("digits", 1) == "…");
  CHECK(cut("digits", 0).empty());
}

TEST_CASE("a line is never wider than it may be") {
  Line line(10, false);
  line.add("> ").cell("run", 5).add("loss 0.25");
  CHECK(line.text() == "> run  lo…");
  CHECK(line.columns() == 10);
  line.add("more");
  CHECK(line.text() == "> run  lo…");
}

TEST_CASE("cells are filled with blanks on one of their sides") {
  Line line(20, true);
  line.cell("7", 3, true).cell("ab", 4, false, Style::green).to(9).add("x");
  CHECK(line.text() == "  7\033[32mab\033[0m    x");
}
