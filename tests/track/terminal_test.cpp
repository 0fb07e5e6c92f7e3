#include "runner/track/terminal.h"

#include <cstdlib>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "runner/track/console.h"

using namespace knead;

TEST_CASE("the speed of a run on tokens is in tokens") {
  std::string shown;
  track::Console console({.is_live = false,
                          .columns = [] { return 80; },
                          .write = [&](std::string_view text) { shown += text; },
                          .now = [] { return 0.0; }},
                         {.steps = 940, .tokens_per_sample = 64});
  track::Report report;
  report.step = 470;
  report.samples_per_second = 3200;
  console.report(report);
  CHECK(shown == "step 470/940   50%  epoch   0.0  loss 0.000      lr 0          205k tokens/s\n");
}

TEST_CASE("nothing of the progress line stays behind where only characters replace characters") {
  std::string shown;
  double now = 0;
  track::Console console({.is_live = true,
                          .columns = [] { return 80; },
                          .write = [&](std::string_view text) { shown += text; },
                          .now = [&] { return now; },
                          .can_erase = false},
                         {.steps = 940});
  track::Report report;
  report.step = 470;
  report.samples_per_second = 3200;
  console.report(report);
  console.note("saved step 470");
  now = 10;
  report.step = 471;
  console.report(report);
  console.finish();
  CHECK(shown.find('\033') == std::string::npos);
  std::vector<std::string> cell(1);
  std::size_t column = 0;
  for (const char c : shown) {
    if (c == '\r') {
      column = 0;
    } else if (c == '\n') {
      cell.emplace_back();
      column = 0;
    } else {
      if (column == cell.back().size()) cell.back() += ' ';
      cell.back()[column++] = c;
    }
  }
  REQUIRE(cell.size() == 3);
  CHECK(cell[0].substr(0, cell[0].find_last_not_of(' ') + 1) == "saved step 470");
  CHECK(cell[1].substr(0, 8) == "step 471");
  CHECK(cell[1].find("took") != std::string::npos);
  CHECK(cell[2].empty());
}

TEST_CASE("a summary is a group in the log of a GitHub job, and plain text elsewhere") {
  const std::string text = "digits\n  until 20 epochs\n";
  ::unsetenv("GITHUB_ACTIONS");
  CHECK(track::foldable(text) == text);
  ::setenv("GITHUB_ACTIONS", "true", 1);
  CHECK(track::foldable(text) == "::group::digits\n  until 20 epochs\n::endgroup::\n");
  ::unsetenv("GITHUB_ACTIONS");
}
