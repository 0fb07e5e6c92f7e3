#include "runner/report/page.h"

#include <algorithm>
#include <regex>

#include <catch2/catch.hpp>

#include "runner/report/comparison_page.h"
#include "runner/report/html.h"
#include "runner/report/markdown.h"
#include "runner/report/run_page.h"
#include "runner/report/sweep_page.h"
#include "runner/track/predictions.h"
#include "runner/track/tracker.h"
#include "schema/document/json_text.h"
#include "tests/run/saved_run.h"

using namespace knead;

namespace {

const std::string kEvil = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&";

/// Writes a run whose names and texts try to become parts of the page.
void write_evil_run(const tests::Folder& folder, const std::string& name) {
  const std::string json = schema::json_text(nlohmann::json(kEvil));
  folder.write(name + "/LOCK", "");
  folder.write(name + "/resolved.yaml", "name: " + json + "  # " + kEvil +
                                            "\ndescription: " + json + "\n" + json +
                                            ": 1\nevaluate: {monitor: " + json + "}\n");
  folder.write(name + "/metrics.jsonl", "{\"step\":1,\"loss\":1," + json +
                                            ":2}\n{\"step\":2,\"loss\":\"NaN\"," + json + ":3}\n");
  folder.write(name + "/evaluations.jsonl",
               "{\"step\":1,\"set\":" + json + "," + json + ":0.5,\"loss\":2,\"seconds\":0}\n");
  folder.write(name + "/log.txt",
               "2026-11-25 13:18:37  " + kEvil +
                   "\n2026-11-25 13:18:37  going on from step 1\nprofile of steps 1\n"
                   "  " +
                   kEvil + "\nexpect " + kEvil + ", met\n\x1b[31m\xff\n");
  folder.write(name + "/checkpoints/step-00000001/manifest.json", kEvil);
  folder.write(name + "/generated.jsonl", "{\"step\":1,\"number\":0,\"prompt\":" + json +
                                              ",\"text\":" + json +
                                              ",\"tokens\":1,\"stopped\":true}\n" + kEvil + "\n");
  const track::Prediction evil{0, 1, kEvil, kEvil, 0.5, kEvil, "iVBORw0KGgo\"" + kEvil};
  track::Predictions found{.step = 1, .set = kEvil, .samples = 1, .worst = {evil}, .best = {evil}};
  found.classes = 1'000'000'000'000;
  found.names = {kEvil, kEvil};
  found.pairs = {{0, 1, 7}, {std::uint64_t(-1), 3, std::uint64_t(-1)}};
  found.bins = {{1, 5, 7e300}, {0, 0, 0}};
  found.points = {{1e300, -1e300}, {0, NAN}};
  folder.write(name + "/predictions/step-00000001.json", track::to_text(found));
  folder.write(name + "/predictions/step-00000002.json", kEvil);
}

void write_evil_sweep(const tests::Folder& folder) {
  const std::string json = schema::json_text(nlohmann::json(kEvil));
  std::string lines;
  for (int i = 0; i < 3; ++i)
    lines +=
        "{\"id\":" + json + ",\"point\":" + std::to_string(i) + ",\"repeat\":0,\"values\":{" +
        json + ":" + json + "},\"state\":\"failed\",\"metric\":" + json +
        ",\"objective\":[[1,0.5]],\"best\":0.5,\"best_step\":1,\"code\":5,\"expect\":[{\"met\":"
        "false,\"sentence\":" +
        json + "}],\"seconds\":1}\n";
  folder.write("evil/sweep/sweep.jsonl", lines);
  folder.write("evil/sweep/best.yaml",
               "# \n#   " + kEvil + ": " + kEvil + " (the recipe has " + kEvil + ")\n" + kEvil);
}

/// Checks that a page has no element, attribute or address that a run has brought.
void check_page(const std::string& page) {
  // Scripts: the data and the page's own one. All further text is escaped.
  const std::regex script("<script");
  CHECK(std::distance(std::sregex_iterator(page.begin(), page.end(), script), {}) == 2);
  CHECK(page.find("<img") == page.npos);
  const std::regex handler("<[^>]*\\son[a-z]+\\s*=", std::regex::icase);
  // What stands in quotes is text, since quotes in it are escaped.
  const std::string shown =
      std::regex_replace(page.substr(0, page.find("<script")), std::regex("\"[^\"]*\""), "\"\"");
  CHECK_FALSE(std::regex_search(shown, handler));
  CHECK_FALSE(std::regex_search(shown, std::regex("<[^>]*\\sstyle=")));
  // Nothing is loaded: no address but the namespace of SVG, and links within the page.
  CHECK(page.find("https:") == page.npos);
  CHECK_FALSE(std::regex_search(page, std::regex("(src|href)=\"[^#]")));
  CHECK(page.find("url(") == page.rfind("url(#"));  // the clip path of a chart
  CHECK_FALSE(std::regex_search(page, std::regex("@import")));
  // What is not UTF-8 and control characters are replaced.
  CHECK(page.find('\x1b') == page.npos);
  CHECK(page.find('\xff') == page.npos);
}

nlohmann::json data_of(const std::string& page) {
  const std::string begin = "<script type=\"application/json\" id=\"data\">";
  const std::size_t at = page.find(begin) + begin.size();
  return schema::parse_json(page.substr(at, page.find("</script>", at) - at));
}

}  // namespace

TEST_CASE("text is escaped in one way, everywhere") {
  CHECK(report::escaped("a<b>&\"c'") == "a&lt;b&gt;&amp;&quot;c&#39;");
  CHECK(report::escaped("é\t\n") == "é\t\n");
  CHECK(report::escaped(std::string("\0\x07\x7f", 3)) == "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  CHECK(report::escaped("\xff\xc3") == "\xEF\xBF\xBD\xEF\xBF\xBD");
  CHECK(report::escaped("\xE2\x80\xAEtxt.exe") == "\xEF\xBF\xBDtxt.exe");  // turned around
  CHECK(report::script_json("</script>") == "\"\\u003c/script>\"");
}

TEST_CASE("numbers in the data of a page are short") {
  CHECK(report::short_json(0.12345678901).dump() == "0.123457");
  CHECK(report::short_json(940).dump() == "940");
  CHECK(report::short_json(1e-30).dump() == "1e-30");
  CHECK(report::short_json(std::numeric_limits<double>::quiet_NaN()).dump() == "null");
}

TEST_CASE("nothing of a hostile run becomes part of its page") {
  const tests::Folder folder;
  write_evil_run(folder, "evil");
  const report::FollowedRun run = report::read_run(folder / "evil");
  const std::string page = report::html(report::run_page(run));
  check_page(page);
  CHECK(page.find("&lt;/script&gt;&lt;script&gt;alert(1)") != page.npos);
  CHECK(data_of(page).at("charts").size() == 2);
  const std::string words = report::run_markdown(run);
  CHECK(words.find("<script") == words.npos);
  CHECK(words.find("<img") == words.npos);
}

TEST_CASE("a page shows what evaluations found: the best open, the last beside it") {
  const tests::Folder folder;
  folder.write("run/LOCK", "");
  folder.write("run/resolved.yaml", "name: run\nevaluate: {monitor: validation/loss}\n");
  folder.write("run/evaluations.jsonl", track::to_text({{1, "validation", {{"loss", 1}}, 0},
                                                        {2, "validation", {{"loss", 2}}, 0}}));
  const std::string picture = "iVBORw0KGgoAAAA=";
  track::Predictions found{.step = 1, .set = "validation", .samples = 10};
  found.worst = {{7, 2.5, "rose", "tulip", 0.75, "", picture}};
  found.best = {{3, 0.125, "rose", "rose", 0.875, "a text", ""}};
  found.classes = 2;
  found.names = {"rose", "tulip"};
  found.pairs = {{0, 0, 4}, {0, 1, 1}, {1, 1, 5}};
  found.bins = {{5, 4, 0.5}, {5, 5, 0.9}};
  track::write_predictions(folder / "run", found, 1);
  found.step = 2;
  found.points = {{1, 2}, {3, 3}};
  track::write_predictions(folder / "run", found, 1);
  folder.write(
      "run/generated.jsonl",
      "{\"step\":1,\"number\":0,\"prompt\":\"knead \",\"text\":\"a <b>\\nline\",\"tokens\":"
      "9,\"stopped\":false}\n");
  const report::FollowedRun run = report::read_run(folder / "run");
  CHECK(run.facts().notes.empty());
  const std::string page = report::html(report::run_page(run));
  const auto has = [&](const std::string& part) { return page.find(part) != page.npos; };
  CHECK(has("<details open><summary><h3>Step 1, the best</h3>"));
  CHECK(has("<details><summary><h3>Step 2, the last</h3>"));
  CHECK(
      has("<img alt=\"sample 7: true rose, predicted tulip (75.0 %)\" "
          "src=\"data:image/png;base64,iVBORw0KGgoAAAA=\">"));
  CHECK(has("<pre>a text</pre>"));
  CHECK(has("<th scope=\"row\">rose</th><td class=\"h8 right\">4</td><td class=\"h4\">1</td>"));
  CHECK(has("expected calibration error 0.2000"));  // (|4 − 2.5| + |5 − 4.5|) ÷ 10
  CHECK(has("Predicted (upwards) against true: 2 numbers, mean distance 0.5"));
  CHECK(has("<pre><b>knead </b>a &lt;b&gt;\nline</pre>"));
  CHECK(has("img-src data:;"));
}

TEST_CASE("nothing of hostile runs becomes part of their comparison") {
  const tests::Folder folder;
  write_evil_run(folder, "a<b>");
  write_evil_run(folder, "b");
  std::vector<report::FollowedRun> runs;
  for (const char* name : {"a<b>", "b"}) runs.push_back(report::read_run(folder / name));
  const std::string page = report::html(report::comparison_page(runs));
  check_page(page);
  CHECK(page.find("a&lt;b&gt;") != page.npos);
  CHECK(report::comparison_markdown(runs).find("a<b>") == std::string::npos);
}

TEST_CASE("nothing of a hostile sweep becomes part of its page") {
  const tests::Folder folder;
  write_evil_sweep(folder);
  const report::ReportedSweep sweep = report::read_sweep(folder / "evil/sweep");
  REQUIRE(sweep.outcome.trials.size() == 3);
  check_page(report::html(report::sweep_page(sweep)));
  CHECK(report::sweep_markdown(sweep).find("<script") == std::string::npos);
}

TEST_CASE("a page has each point of a short run, and both peaks of a long one") {
  const tests::Folder folder;
  std::string lines;
  for (int step = 1; step <= 100'000; ++step)
    lines += "{\"step\":" + std::to_string(step) + ",\"loss\":" +
             (step == 77'777 ? "123456"
              : step == 7    ? "-123"
                             : "1") +
             "}\n";
  folder.write("long/metrics.jsonl", lines);
  folder.write("short/metrics.jsonl", lines.substr(0, lines.find("{\"step\":51,")));
  folder.write("short/evaluations.jsonl",
               track::to_text({{10, "validation", {{"loss", 0.5}}, 0},
                               {20, "validation", {{"loss", 0.25}}, 0}}));
  folder.write("short/resolved.yaml", "evaluate: {monitor: validation/loss}\n");
  const auto of_long = data_of(report::html(report::run_page(report::read_run(folder / "long"))));
  const auto& line = of_long.at("charts").at(0).at("lines").at(0);
  CHECK(line.at("x").size() >= 512);
  CHECK(line.at("x").size() <= 1024);
  CHECK(line.at("largest").get<std::vector<double>>() !=
        std::vector<double>(line.at("x").size(), 1.0));
  const auto largest = line.at("largest").get<std::vector<double>>();
  const auto least = line.at("least").get<std::vector<double>>();
  CHECK(*std::max_element(largest.begin(), largest.end()) == 123456);
  CHECK(*std::min_element(least.begin(), least.end()) == -123);
  const std::string page = report::html(report::run_page(report::read_run(folder / "short")));
  const auto chart = data_of(page).at("charts").at(0);
  CHECK(chart.at("lines").at(0).at("x").size() == 50);
  CHECK_FALSE(chart.at("lines").at(0).contains("least"));
  CHECK(chart.at("lines").at(1).at("name") == "validation/loss");
  CHECK(chart.at("best") ==
        nlohmann::json::parse(R"([20.0, 0.25, "best validation/loss: 0.2500 at step 20"])"));
  CHECK(page.find("<tr class=\"best\">") != page.npos);
}

TEST_CASE("a page of a thousand trials is small") {
  const tests::Folder folder;
  std::string lines;
  for (int i = 0; i < 1000; ++i) {
    std::string objective;
    for (int step = 1; step <= 100; ++step)
      objective += (step == 1 ? "[" : ",[") + std::to_string(step * 50) + "," +
                   std::to_string(1.0 / (i % 97 + step)) + "123456789]";
    lines += "{\"id\":\"" + std::to_string(1'000'000'000'000'000 + i) +
             "\",\"point\":" + std::to_string(i) +
             ",\"repeat\":0,\"values\":{\"optimizer.lr\":0.00" + std::to_string(1000 + i) +
             ",\"model.args.width\":" + std::to_string(16 << (i % 5)) +
             ",\"batch\":32,\"optimizer.weight_decay\":0.0" + std::to_string(999 - i % 500) +
             "},\"state\":\"finished\",\"metric\":\"validation/loss\",\"objective\":[" + objective +
             "],\"best\":" + std::to_string(1.0 / (i % 97 + 100)) +
             ",\"best_step\":5000,\"code\":0,\"expect\":[],\"seconds\":12.5}\n";
  }
  folder.write("s/sweep/sweep.jsonl", lines);
  const report::ReportedSweep sweep = report::read_sweep(folder / "s/sweep");
  const std::string page = report::html(report::sweep_page(sweep));
  CHECK(page.size() < 2'000'000);
  std::size_t rows = 0;
  for (std::size_t at = page.find("<tr data-t"); at != page.npos;
       at = page.find("<tr data-t", at + 1))
    ++rows;
  CHECK(rows == 999);  // and the best one, which has a class as well
}

TEST_CASE("an empty run has a page") {
  const tests::Folder folder;
  folder.write("run/LOCK", "");
  const report::Page page = report::run_page(report::read_run(folder / "run"));
  CHECK(page.verdict == "Has not begun.");
  check_page(report::html(page));
  CHECK(report::run_markdown(report::read_run(folder / "run")) ==
        "## Run run: ⏸ empty\n\nHas not begun.\n\n");
}

TEST_CASE("runs of one name are told apart") {
  const tests::Folder folder;
  std::vector<report::FollowedRun> runs;
  for (const char* name : {"a/run", "b/run", "c/other", "a/run"}) {
    folder.write(std::string(name) + "/LOCK", "");
    runs.push_back(report::read_run(folder / name));
  }
  const std::string a = (folder / "a/run").string();
  CHECK(report::distinct_names(runs) ==
        std::vector<std::string>{a, (folder / "b/run").string(), "other", a + " (2)"});
}
