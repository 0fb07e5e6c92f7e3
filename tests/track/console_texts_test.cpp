#include <string>

#include <catch2/catch.hpp>

#include "runner/track/console.h"

using namespace knead;
using track::Console;

namespace {

constexpr track::Length kSteps{.steps = 940, .epochs = 20};

/// Takes down what a console writes.
struct TakenLines {
  bool is_live = false;
  std::string text;

  track::Terminal terminal() {
    return {is_live, [] { return 40; }, [this](std::string_view more) { text += more; },
            [] { return 0.0; }};
  }
  std::string taken() { return std::exchange(text, ""); }
};

}  // namespace

TEST_CASE("live: an evaluation that is wider than the terminal goes on in further lines") {
  TakenLines screen;
  screen.is_live = true;
  Console console(screen.terminal(), kSteps);
  console.evaluated({94, "validation", {{"loss", 0.5}, {"accuracy", 0.875}, {"f1", 0.75}}, 1},
                    true);
  CHECK(screen.taken() ==
        "step  94/940  validation  loss 0.5000\n  accuracy 0.8750  f1 0.7500\n"
        "  \033[32mbest so far\033[0m\n");
}

TEST_CASE("a generated text stands line by line behind a mark, and controls no terminal") {
  TakenLines screen;
  Console console(screen.terminal(), kSteps);
  console.generated(
      {.step = 94, .prompt = "ROMEO:\n", .text = "so \033[2Jbe\tit\n\nO", .tokens = 9});
  CHECK(screen.taken() == "step  94/940  text behind \"ROMEO:\\n\"\n  | so be it\n  |\n  | O\n");
  std::string lines;
  for (int i = 0; i < 14; ++i) lines += "a\n";
  console.generated({.step = 94, .prompt = std::string(70, 'x'), .text = lines, .tokens = 28});
  const std::string shown = screen.taken();
  CHECK(shown.starts_with("step  94/940  text behind \"" + std::string(59, 'x') + "…\n  | a\n"));
  CHECK(shown.ends_with("  | a\n  | (3 more lines in generated.jsonl)\n"));
}

TEST_CASE("live: a line of a text that is wider than the terminal goes on behind the mark") {
  TakenLines screen;
  screen.is_live = true;
  Console console(screen.terminal(), kSteps);
  console.generated(
      {.step = 9, .prompt = "a", .text = std::string(34, 'a') + "é" + "bc", .tokens = 9});
  CHECK(screen.taken() ==
        "step   9/940  text behind \"a\"\n  | " + std::string(34, 'a') + "é\n  | bc\n");
}
