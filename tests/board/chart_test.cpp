#include "runner/board/terminal/chart.h"

#include <cmath>

#include <catch2/catch.hpp>

using namespace knead::board;
using knead::report::ThinnedSeries;

namespace {

std::vector<std::string> drawn(const std::vector<Curve>& curves, ChartOptions options,
                               std::size_t width, std::size_t height) {
  options.has_colour = false;
  std::vector<std::string> lines;
  for (const Line& line : chart(curves, options, width, height)) {
    CHECK(line.columns() <= width);
    lines.push_back(line.text());
  }
  CHECK(lines.size() == height);
  return lines;
}

}  // namespace

TEST_CASE("a chart has its title, last values, round numbers at its sides and its curve") {
  ThinnedSeries loss;
  for (int step = 0; step <= 100; step += 10) loss.add({{double(step), 0, 0}, 2 - step / 100.0});
  CHECK(drawn({{.name = "train ", .series = &loss, .last = 1}}, {.title = "loss"}, 30, 6) ==
        std::vector<std::string>{
            "loss  ─ train 1.000",
            "2┤⠉⠒⠢⠤⢄⣀⡀                     ",
            " │      ⠈⠉⠒⠒⠤⠤⣀⡀              ",
            " │             ⠈⠉⠑⠒⠢⠤⣀⣀       ",
            "1┤                     ⠉⠉⠑⠒⠒⠤⣀",
            "  0            50         step",
        });
}

TEST_CASE("a spike of one step among a million is drawn") {
  ThinnedSeries loss(64);
  for (int step = 0; step < 100000; ++step)
    loss.add({{double(step), 0, 0}, step == 70000 ? 100.0 : 1.0});
  const auto lines = drawn({{.name = "", .series = &loss}}, {.title = "loss"}, 44, 8);
  CHECK(lines[1].find("⡇") + lines[1].find("⢸") != 2 * std::string::npos);
}

TEST_CASE("a chart without finite values says so") {
  ThinnedSeries loss;
  CHECK(drawn({{.name = "", .series = &loss}}, {.title = "loss"}, 30, 4) ==
        std::vector<std::string>{"loss", "  no values yet", "", ""});
  loss.add({{1, 0, 0}, NAN});
  CHECK(drawn({{.name = "", .series = &loss, .last = NAN}}, {.title = "loss"}, 30, 4)[0] ==
        "loss  ─ NaN (1 not finite)");
}

TEST_CASE("extreme charts are drawn") {
  ThinnedSeries one;
  one.add({{5, 0, 0}, 0});
  ThinnedSeries large;
  large.add({{0, 0, 0}, -1e300});
  large.add({{1e15, 0, 0}, 1e300});
  ThinnedSeries close;
  close.add({{1, 0, 0}, 1});
  close.add({{2, 0, 0}, 1 + 1e-15});
  for (const ThinnedSeries* series : {&one, &large, &close}) {
    for (const bool is_log : {false, true}) {
      for (const std::size_t width : {16, 40, 200})
        drawn({{.name = "x ", .series = series, .is_marked = is_log}},
              {.title = "loss", .is_log = is_log, .smoothing = is_log ? 0.9 : 0}, width, 4);
    }
  }
}

TEST_CASE("terminals without braille get ASCII") {
  ThinnedSeries loss;
  for (int step = 0; step <= 100; step += 10) loss.add({{double(step), 0, 0}, step / 100.0});
  for (const std::string& line :
       drawn({{.name = "train ", .series = &loss}}, {.title = "loss", .is_ascii = true}, 40, 8)) {
    for (const char c : line) CHECK(static_cast<unsigned char>(c) < 0x80);
  }
}
