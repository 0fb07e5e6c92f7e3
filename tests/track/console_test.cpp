#include "runner/track/console.h"

#include <catch2/catch.hpp>

using namespace knead;
using track::Console;
using track::Length;
using track::Report;

namespace {

/// A terminal whose text is taken down and whose clock stands until it is set.
struct ConsoleScreen {
  bool is_live = false;
  int columns = 200;
  double now = 1000;
  std::string text;

  track::Terminal terminal() {
    return {is_live, [this] { return columns; }, [this](std::string_view more) { text += more; },
            [this] { return now; }};
  }

  /// What was written since the last call; a cleared line as <, colour as in the source.
  std::string taken() {
    std::string out = std::move(text);
    text.clear();
    for (std::size_t at = out.find("\r\033[K"); at != out.npos; at = out.find("\r\033[K"))
      out.replace(at, 4, "<");
    return out;
  }
};

constexpr Length kDigits{
    .steps = 940, .epochs = 20, .seconds = {}, .first_step = 0, .first_second = 0};

Report console_report(std::uint64_t step, double loss = 0.25) {
  Report out;
  out.step = step;
  out.epoch = static_cast<double>(step) / 47;
  out.samples = step * 32;
  out.time = static_cast<double>(step) / 100;
  out.loss = loss;
  out.lr = 0.001;
  out.samples_per_second = 3200;
  return out;
}

}  // namespace

TEST_CASE("plain: the first report is shown at once, the next after two seconds") {
  ConsoleScreen screen;
  Console console(screen.terminal(), kDigits);
  screen.now += 0.1;
  console.report(console_report(10, 2.30258));
  CHECK(screen.taken() ==
        "step  10/940    1%  epoch  0.2/20  loss 2.303      lr 0.001      3200 samples/s\n");
  screen.now += 1.9;
  console.report(console_report(200));
  CHECK(screen.taken().empty());
  screen.now += 0.1;
  console.report(console_report(210, 0.0123456));
  CHECK(screen.taken() ==
        "step 210/940   22%  epoch  4.4/20  loss 0.01235    lr 0.001      3200 samples/s  7.3 s "
        "left\n");
}

TEST_CASE("plain: a long run has fewer lines") {
  ConsoleScreen screen;
  Console console(screen.terminal(), {.steps = 100000});
  std::vector<double> at;
  for (int second = 1; second <= 7200; ++second) {
    screen.now = 1000 + second;
    console.report(console_report(static_cast<std::uint64_t>(second)));
    if (!screen.taken().empty()) at.push_back(second);
  }
  CHECK(std::vector<double>(at.begin(), at.begin() + 4) == std::vector<double>{1, 3, 5, 7});
  CHECK(at.size() < 250);
  CHECK(at.back() - at[at.size() - 2] == 60);
}

TEST_CASE("plain: evaluations, notes and warnings are always shown") {
  ConsoleScreen screen;
  Console console(screen.terminal(), kDigits);
  console.note("resumed from step 47");
  console.evaluated({94, "validation", {{"loss", 0.5}, {"accuracy", 0.875}}, 0.1}, true);
  console.evaluated({94, "test", {{"loss", 0.5}, {"accuracy_top5", 1}}, 0.1}, false);
  console.warn("the disk is full");
  CHECK(screen.taken() ==
        "resumed from step 47\n"
        "step  94/940  validation  loss 0.5000     accuracy 0.8750     best so far\n"
        "step  94/940  test        loss 0.5000     accuracy_top5 1.000\n"
        "warning: the disk is full\n");
}

TEST_CASE("plain: the end says how long all took") {
  ConsoleScreen screen;
  {
    Console console(screen.terminal(), kDigits);
    console.finish();
    CHECK(screen.taken().empty());
    console.report(console_report(10));
    screen.now += 0.5;
    console.report(console_report(940, 0.0625));
    screen.taken();
    console.finish();
    console.note("saved step 940");
    console.finish();
  }
  CHECK(screen.taken() ==
        "step 940/940  100%  epoch 20.0/20  loss 0.06250    lr 0.001      3200 samples/s  took 9.4 "
        "s\n"
        "saved step 940\n");
}

TEST_CASE("plain: a run of one report does not say it twice") {
  ConsoleScreen screen;
  Console console(screen.terminal(), kDigits);
  console.report(console_report(940, 0.0625));
  screen.taken();
  console.finish();
  CHECK(screen.taken() == "took 9.4 s\n");
}

TEST_CASE("plain: what is unusual stands at the end of the line") {
  ConsoleScreen screen;
  Console console(screen.terminal(), kDigits);
  Report slow = console_report(470);
  slow.data_wait = 0.337;
  slow.skipped = 3;
  screen.now += 2;
  console.report(slow);
  CHECK(
      screen.taken() ==
      "step 470/940   50%  epoch 10.0/20  loss 0.2500     lr 0.001      3200 samples/s  2.0 s left"
      "   3 skipped  waits for data 34%\n");
}

TEST_CASE("plain: a run that ends with the clock has no total of steps") {
  ConsoleScreen screen;
  Console console(screen.terminal(), {.steps = {}, .epochs = {}, .seconds = 600});
  screen.now += 60;
  Report later = console_report(470);
  later.time = 60;
  console.report(later);
  console.evaluated({470, "validation", {{"loss", 0.5}}, 0.1}, false);
  CHECK(
      screen.taken() ==
      "step     470   10%  epoch  10.0  loss 0.2500     lr 0.001      3200 samples/s  9 min left\n"
      "step     470  validation  loss 0.5000\n");
}

TEST_CASE("an epoch is not over before its last step, nor is a run; a part of one is none") {
  ConsoleScreen screen;
  Console console(screen.terminal(), kDigits);
  console.report(console_report(939));
  CHECK(screen.taken() ==
        "step 939/940   99%  epoch 19.9/20  loss 0.2500     lr 0.001      3200 samples/s\n");
  Console short_run(screen.terminal(), {.steps = 3, .epochs = 3.0 / 47, .seconds = {}});
  short_run.report(console_report(1));
  CHECK(screen.taken() == "step 1/3   33%  loss 0.2500     lr 0.001      3200 samples/s\n");
}

TEST_CASE("the time left follows from the speed since this start, pauses included") {
  ConsoleScreen screen;
  // 400 steps were done by earlier starts: they say nothing about the speed of this one.
  Console console(screen.terminal(),
                  {.steps = 1000, .epochs = {}, .seconds = {}, .first_step = 400});
  screen.now += 20;
  console.report(console_report(500));  // 5 steps a second, 500 left
  CHECK(screen.taken().find("1 min 40 s") == std::string::npos);
  screen.now += 20;
  console.report(console_report(600));
  CHECK(screen.taken().find("  1 min left") != std::string::npos);  // 400 left: 80 s
}

TEST_CASE("the time left follows changes of speed within half a minute or half of the time") {
  ConsoleScreen screen;
  Console console(screen.terminal(), {.steps = 10000});
  for (int second = 1; second <= 60; ++second) {  // 1 step a second
    screen.now += 1;
    console.report(console_report(static_cast<std::uint64_t>(second)));
  }
  for (int second = 1; second <= 60; ++second) {  // then 100
    screen.now += 1;
    console.report(console_report(static_cast<std::uint64_t>(60 + 100 * second)));
  }
  const std::string text = screen.taken();
  CHECK(text.substr(text.rfind("samples/s")) == "samples/s  44 s left\n");
}

TEST_CASE("live: a progress line is redrawn ten times a second, with the curve of the loss") {
  ConsoleScreen screen;
  screen.is_live = true;
  {
    Console console(screen.terminal(), kDigits);
    console.report(console_report(10, 2));
    CHECK(screen.taken() ==
          "<step  10/940    1%  epoch  0.2/20  loss 2.000      lr 0.001      3200 samples/s");
    screen.now += 0.09;
    console.report(console_report(20, 1));
    CHECK(screen.taken().empty());
    screen.now += 0.01;
    console.report(console_report(30, 0.5));
    CHECK(screen.taken() ==
          "<step  30/940    3%  epoch  0.6/20  loss 0.5000     lr 0.001      3200 samples/s"
          "               █▃▁");
  }
  CHECK(screen.taken() == "<");
}

TEST_CASE("live: everything else is a line above the progress line") {
  ConsoleScreen screen;
  screen.is_live = true;
  screen.columns = 24;
  Console console(screen.terminal(), kDigits);
  console.note("resumed from step 47");
  CHECK(screen.taken() == "resumed from step 47\n");
  console.report(console_report(94));
  CHECK(screen.taken() == "<step  94/940   10%");
  console.evaluated({94, "validation", {{"loss", 0.5}}, 0.1}, true);
  console.warn("the disk is full");
  CHECK(screen.taken() ==
        "<step  94/940\n  validation\n  loss 0.5000\n  \033[32mbest so far\033[0m\n"
        "<step  94/940   10%"
        "<\033[33mwarning:\033[0m the disk is full\n"
        "<step  94/940   10%");
}

/// The progress line on a terminal of so many columns.
std::string drawn(int columns) {
  ConsoleScreen screen;
  screen.is_live = true;
  screen.columns = columns;
  Console console(screen.terminal(), kDigits);
  console.report(console_report(235, 2));
  screen.now += 2;
  screen.taken();
  console.report(console_report(282, 1));
  return screen.taken();
}

TEST_CASE("live: a narrow terminal loses the least important parts first") {
  // 92 columns, and ten for the curve; one at the end of the terminal stays free.
  const std::string whole =
      "<step 282/940   30%  epoch  6.0/20  loss 1.000      lr 0.001      3200 samples/s  4.7 s left"
      "   █▁";
  const std::string without_lr =
      "<step 282/940   30%  epoch  6.0/20  loss 1.000       3200 samples/s  4.7 s left   █▁";
  const std::string without_epoch =
      "<step 282/940   30%  loss 1.000       3200 samples/s  4.7 s left   █▁";
  CHECK(drawn(200) == whole);
  CHECK(drawn(103) == whole);
  CHECK(drawn(102) == without_lr);
  CHECK(drawn(90) == without_lr);
  CHECK(drawn(89) == without_epoch);
  CHECK(drawn(80) == without_epoch);
  CHECK(drawn(75) == without_epoch);
  CHECK(drawn(74) == "<step 282/940   30%  loss 1.000       3200 samples/s  4.7 s left");
  CHECK(drawn(64) == "<step 282/940   30%  loss 1.000      4.7 s left   █▁");
  CHECK(drawn(48) == "<step 282/940   30%  loss 1.000      4.7 s left");
  CHECK(drawn(47) == "<step 282/940   30%  loss 1.000      █▁");
  CHECK(drawn(36) == "<step 282/940   30%  loss 1.000");
  CHECK(drawn(22) == "<step 282/940   30%");
  CHECK(drawn(18) == "<step 282/940");
  CHECK(drawn(6) == "<step");
  CHECK(drawn(0) == "<s");
}

TEST_CASE("live: the curve of a long run fills the room there is") {
  ConsoleScreen screen;
  screen.is_live = true;
  screen.columns = 80;
  Console console(screen.terminal(), kDigits);
  for (std::uint64_t step = 10; step <= 500; step += 10) {
    screen.now += 1;
    screen.taken();
    console.report(console_report(step, 1 / static_cast<double>(step)));
  }
  CHECK(screen.taken() ==
        "<step 500/940   53%  loss 0.002000    3200 samples/s  44 s left    █▃▂▂▁▁▁▁▁▁▁▁▁");
}

TEST_CASE("live: the end leaves the last line and clears the progress") {
  ConsoleScreen screen;
  screen.is_live = true;
  {
    Console console(screen.terminal(), kDigits);
    console.report(console_report(940));
    screen.taken();
    console.finish();
    console.note("saved step 940");
  }
  CHECK(screen.taken() ==
        "<step 940/940  100%  epoch 20.0/20  loss 0.2500     lr 0.001      3200 samples/s  took "
        "9.4 s\n"
        "saved step 940\n");
}
