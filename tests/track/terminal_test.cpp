#include "runner/track/terminal.h"

#include <cstdlib>

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

TEST_CASE("a summary is a group in the log of a GitHub job, and plain text elsewhere") {
  const std::string text = "digits\n  until 20 epochs\n";
  ::unsetenv("GITHUB_ACTIONS");
  CHECK(track::foldable(text) == text);
  ::setenv("GITHUB_ACTIONS", "true", 1);
  CHECK(track::foldable(text) == "::group::digits\n  until 20 epochs\n::endgroup::\n");
  ::unsetenv("GITHUB_ACTIONS");
}
