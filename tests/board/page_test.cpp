#include "runner/board/terminal/page.h"

#include <catch2/catch.hpp>

#include "tests/board/written_run.h"
#include "tests/folder.h"

using namespace knead;
using board::View;
using board::WatchedFolder;
using tests::WrittenRun;

namespace {

std::string page_text(const WatchedFolder& folder, const board::RunMetrics* metrics,
                      const View& view, std::size_t columns, std::size_t rows) {
  const auto lines = board::page(folder, metrics, view, {columns, rows, false, false});
  CHECK(lines.size() == rows);
  std::string text;
  for (const board::Line& line : lines) {
    CHECK(line.columns() <= columns);
    text += line.text() + "\n";
  }
  return text;
}

bool page_has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a page fits into any screen, and shows more on a larger one") {
  const tests::Folder folder;
  WrittenRun run(folder / "digits");
  WrittenRun other(folder / "a run with quite a long name, which is not shown on a narrow screen");
  for (std::uint64_t step = 10; step <= 500; step += 10)
    run.report(step, 100 / static_cast<double>(step));
  run.evaluated({250, "validation", {{"loss", 0.5}, {"accuracy", 0.75}}, 0.1});
  const WatchedFolder watched(folder.path());
  board::RunMetrics metrics(folder / "digits");
  metrics.read_on();
  const View view{.chosen = folder / "digits"};
  for (const std::size_t columns : {1, 10, 20, 40, 80, 120, 200}) {
    for (const std::size_t rows : {1, 2, 5, 10, 24, 50, 100})
      page_text(watched, &metrics, view, columns, rows);
  }
  const std::string narrow = page_text(watched, &metrics, view, 40, 24);
  CHECK(page_has(narrow, "> digits"));
  CHECK(page_has(narrow, "500  50%"));
  CHECK(!page_has(narrow, "samples/s"));
  const std::string wide = page_text(watched, &metrics, view, 200, 50);
  CHECK(page_has(wide, "accuracy 0.7500 at 250"));
  CHECK(page_has(wide, "5.0 s left"));
  CHECK(page_has(wide, "validation at 250  loss 0.5000  accuracy 0.7500"));
  CHECK(page_has(wide, "loss  ─ train 0.2000  ● validation 0.5000"));
  CHECK(page_has(wide, "gradient_norm"));
  CHECK(!page_has(wide, "skipped"));
}

TEST_CASE("the page of one run says how it stands, and help lists the keys") {
  const tests::Folder folder;
  WrittenRun run(folder / "digits");
  run.report(100, 2);
  run.report(200, 1);
  const WatchedFolder watched(folder / "digits");
  View view{.chosen = folder / "digits"};
  const std::string text = page_text(watched, nullptr, view, 80, 24);
  CHECK(page_has(text, "running  step 200  20%  3200 samples/s  8.0 s left"));
  CHECK(!page_has(text, "jk run"));
  view.shows_help = true;
  CHECK(page_has(page_text(watched, nullptr, view, 80, 24), "logarithmic values, or not"));
}

TEST_CASE("of many runs those around the chosen one are shown") {
  const tests::Folder folder;
  for (int i = 0; i < 40; ++i) WrittenRun(folder / ("run-" + std::to_string(100 + i))).finish();
  const WatchedFolder watched(folder.path());
  const std::string first = page_text(watched, nullptr, {.chosen = folder / "run-100"}, 80, 24);
  CHECK(page_has(first, "> run-100"));
  CHECK(page_has(first, "  run-106"));
  CHECK(!page_has(first, "run-107"));
  const std::string last = page_text(watched, nullptr, {.chosen = folder / "run-139"}, 80, 24);
  CHECK(page_has(last, "> run-139"));
  CHECK(!page_has(last, "run-132"));
}
