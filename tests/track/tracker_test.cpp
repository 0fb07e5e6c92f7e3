#include "runner/track/tracker.h"

#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

#include "schema/document/error.h"
#include "tests/folder.h"

using namespace knead;
using track::Report;
using track::Tracker;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// A console whose lines are taken down.
struct TrackedScreen {
  std::string text;
  track::Console console{{false, [] { return 80; }, [this](std::string_view more) { text += more; },
                          [] { return 0.0; }},
                         {.steps = 940, .epochs = 20}};
};

const Report kReport{470, 10, 15000, 1.5, 0.25, 0.001, 0.75, 12400, 0.05, 0};
const char* const kReportLine =
    "{\"step\":470,\"epoch\":10.0,\"samples\":15000,\"time\":1.5,\"loss\":0.25,\"lr\":0.001,"
    "\"gradient_norm\":0.75,\"samples_per_second\":12400.0,\"data_wait\":0.05,\"skipped\":0}\n";

plan::Evaluation tracked_evaluation(std::uint64_t step, double loss) {
  return {step, "validation", {{"loss", loss}, {"accuracy", 0.5}}, 0.25};
}

}  // namespace

TEST_CASE("the utilization of the devices is in a report where it is known") {
  const tests::Folder folder;
  TrackedScreen screen;
  Report report = kReport;
  report.mfu = 0.4125;
  {
    Tracker tracker(folder.path(), "validation/loss", {}, screen.console);
    tracker.report(kReport);
    tracker.report(report);
  }
  const std::string line = kReportLine;
  CHECK(tests::text_of(folder / "metrics.jsonl") ==
        line + line.substr(0, line.size() - 2) + ",\"mfu\":0.4125}\n");
  CHECK(track::read_reports(folder / "metrics.jsonl") == std::vector{kReport, report});
  Console console({false, [] { return 80; }, [&](std::string_view more) { screen.text = more; },
                   [] { return 0.0; }},
                  {.steps = 940, .epochs = 20});
  console.report(report);
  CHECK(screen.text ==
        "step 470/940   50%  epoch 10.0/20  loss 0.2500     lr 0.001     12.4k samples/s  "
        "mfu 41.2%\n");
}

TEST_CASE("reports and evaluations are lines of two journals and of the console") {
  const tests::Folder folder;
  TrackedScreen screen;
  Tracker tracker(folder.path(), "validation/loss", {}, screen.console);
  tracker.report(kReport);
  tracker.evaluated(tracked_evaluation(470, 0.5));
  tracker.evaluated(tracked_evaluation(517, 0.75));
  tracker.evaluated({517, "test", {{"loss", 0.1}}, 0.5});
  CHECK(tests::text_of(folder / "metrics.jsonl") == kReportLine);
  CHECK(tests::text_of(folder / "evaluations.jsonl") ==
        "{\"step\":470,\"set\":\"validation\",\"loss\":0.5,\"accuracy\":0.5,\"seconds\":0.25}\n"
        "{\"step\":517,\"set\":\"validation\",\"loss\":0.75,\"accuracy\":0.5,\"seconds\":0.25}\n"
        "{\"step\":517,\"set\":\"test\",\"loss\":0.1,\"seconds\":0.5}\n");
  CHECK(screen.text ==
        "step 470/940   50%  epoch 10.0/20  loss 0.2500     lr 0.001     12.4k samples/s\n"
        "step 470/940  validation  loss 0.5000     accuracy 0.5000     best so far\n"
        "step 517/940  validation  loss 0.7500     accuracy 0.5000\n"
        "step 517/940  test        loss 0.1000\n");
  CHECK(tracker.evaluations().size() == 3);
  CHECK(
      tracker.positions() ==
      track::Positions{{"metrics.jsonl", tests::text_of(folder / "metrics.jsonl").size()},
                       {"evaluations.jsonl", tests::text_of(folder / "evaluations.jsonl").size()}});
}

TEST_CASE("a tracker without a folder keeps evaluations and writes no file") {
  TrackedScreen screen;
  const plan::Evaluations before{tracked_evaluation(470, 0.5), tracked_evaluation(517, NAN)};
  const plan::Evaluations sent = track::evaluations_in(track::to_text(before));
  REQUIRE(sent.size() == 2);
  CHECK(sent[0] == before[0]);
  CHECK(std::isnan(sent[1].values[0].second));
  Tracker tracker({"validation/loss"}, sent, screen.console);
  tracker.report(kReport);
  tracker.evaluated(tracked_evaluation(564, 0.25));
  CHECK(tracker.evaluations().size() == 3);
  CHECK(tracker.positions().empty());
  CHECK(screen.text.ends_with(
      "step 564/940  validation  loss 0.2500     accuracy 0.5000     best so far\n"));
}

TEST_CASE("what was written is read again, also what JSON has no number for") {
  const tests::Folder folder;
  TrackedScreen screen;
  Report report = kReport;
  report.loss = 1.0 / 3;
  report.gradient_norm = std::numeric_limits<double>::infinity();
  Tracker tracker(folder.path(), "validation/loss", {}, screen.console);
  tracker.report(report);
  tracker.report(kReport);
  tracker.evaluated(tracked_evaluation(470, 0.5));
  tracker.evaluated(tracked_evaluation(517, kNaN));
  CHECK(track::read_reports(folder / "metrics.jsonl") == std::vector<Report>{report, kReport});
  const plan::Evaluations read = track::read_evaluations(folder / "evaluations.jsonl");
  REQUIRE(read.size() == 2);
  CHECK(read[0] == tracked_evaluation(470, 0.5));
  CHECK(std::isnan(read[1].values[0].second));
  CHECK(track::as_evaluations({kReport}) == plan::Evaluations{{470, "train", {{"loss", 0.25}}, 0}});
}

TEST_CASE("a resumed tracker goes on at its positions, with the evaluations before them") {
  const tests::Folder folder;
  track::Positions positions;
  {
    TrackedScreen screen;
    Tracker tracker(folder.path(), "validation/loss", {}, screen.console);
    tracker.report(kReport);
    tracker.evaluated(tracked_evaluation(470, 0.5));
    positions = tracker.positions();
    tracker.report(kReport);
    tracker.evaluated(tracked_evaluation(517, 0.25));
  }
  TrackedScreen screen;
  Tracker tracker(folder.path(), "validation/loss", positions, screen.console);
  CHECK(tests::text_of(folder / "metrics.jsonl") == kReportLine);
  CHECK(tracker.evaluations() == plan::Evaluations{tracked_evaluation(470, 0.5)});
  CHECK(tracker.positions() == positions);
  tracker.evaluated(tracked_evaluation(517, 0.375));
  CHECK(screen.text ==
        "step 517/940  validation  loss 0.3750     accuracy 0.5000     best so far\n");
}

TEST_CASE("what is not in the positions begins anew") {
  const tests::Folder folder;
  tests::write_text(folder / "metrics.jsonl", kReportLine);
  tests::write_text(folder / "evaluations.jsonl", "torn");
  TrackedScreen screen;
  const Tracker tracker(folder.path(), "validation/loss", {}, screen.console);
  CHECK(tests::text_of(folder / "metrics.jsonl").empty());
  CHECK(tracker.evaluations().empty());
}

TEST_CASE("texts are lines of a journal that is there only where they are expected") {
  const tests::Folder folder;
  TrackedScreen screen;
  const track::GeneratedTexts texts{{94, 0, "a", "b\n", 2, false}, {94, 1, "c", "\xff", 1, true}};
  track::Positions positions;
  {
    Tracker tracker(folder.path(), "validation/loss", {}, screen.console);
    CHECK_FALSE(std::filesystem::exists(folder / "generated.jsonl"));
    tracker.expect_texts();
    positions = tracker.positions();
    CHECK(positions.at("generated.jsonl") == 0);
    tracker.generated(texts);
    positions = tracker.positions();
    tracker.generated(texts);
  }
  const std::string lines =
      "{\"step\":94,\"number\":0,\"prompt\":\"a\",\"text\":\"b\\n\",\"tokens\":2,\"stopped\":false}"
      "\n"
      "{\"step\":94,\"number\":1,\"prompt\":\"c\",\"text\":\"\xEF\xBF\xBD\",\"tokens\":1,"
      "\"stopped\":"
      "true}\n";
  CHECK(tests::text_of(folder / "generated.jsonl") == lines + lines);
  // A resumed run cuts the file back, also where its evaluations write no text any more.
  { Tracker tracker(folder.path(), "validation/loss", positions, screen.console); }
  CHECK(tests::text_of(folder / "generated.jsonl") == lines);
  { Tracker tracker(folder.path(), "validation/loss", {}, screen.console); }
  CHECK(tests::text_of(folder / "generated.jsonl").empty());
}

TEST_CASE("predictions of the last and of the best evaluation are kept") {
  const tests::Folder folder;
  TrackedScreen screen;
  const auto steps = [&] {
    std::string all;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "predictions"))
      all += std::to_string(track::step_of_predictions(entry.path().filename().string())) + " ";
    return all;
  };
  Tracker tracker(folder.path(), "validation/loss", {}, screen.console);
  const std::vector<std::pair<std::uint64_t, double>> rounds{{10, 3}, {20, 1}, {30, 2}, {40, 1.5}};
  for (const auto& [step, loss] : rounds) {
    tracker.evaluated(tracked_evaluation(step, loss));
    tracker.predicted({.step = step, .set = "validation"});
  }
  CHECK((steps() == "20 40 " || steps() == "40 20 "));
  track::remove_predictions_after(folder.path(), 39);
  CHECK(steps() == "20 ");
  CHECK(track::step_of_predictions("step-.json") == -1);
  CHECK(track::step_of_predictions("step-7x.json") == -1);
  CHECK(track::predictions_in(tests::text_of(folder / "predictions/step-00000020.json")).step ==
        20);
  // A disk that refuses is a warning.
  std::filesystem::remove_all(folder / "predictions");
  folder.write("predictions", "");
  tracker.predicted({.step = 50, .set = "validation"});
  CHECK(screen.text.find("the run goes on without it") != std::string::npos);
}

TEST_CASE("a line that cannot be read is named") {
  const tests::Folder folder;
  const std::string path = folder / "evaluations.jsonl";
  const std::string good = "{\"step\":1,\"set\":\"validation\",\"loss\":0.5,\"seconds\":0.1}\n";
  const char* const bad[] = {"\n",
                             "{\n",
                             "[]\n",
                             "{\"step\":2}\n",
                             "{\"step\":\"2\",\"set\":\"a\",\"seconds\":1}\n",
                             "{\"step\":2,\"set\":\"a\",\"seconds\":1,\"loss\":null}\n",
                             "{\"step\":2,\"set\":\"a\",\"seconds\":1,\"loss\":\"low\"}\n"};
  for (const char* line : bad) {
    CAPTURE(line);
    tests::write_text(path, good + line + good);
    CHECK_THROWS_WITH(track::read_evaluations(path), path + ":2: this line cannot be read");
  }
  tests::write_text(path, good);
  CHECK_THROWS_WITH(track::read_reports(path), path + ":1: this line cannot be read");
}

TEST_CASE("a line that is still being written is not there yet, nor is a file") {
  const tests::Folder folder;
  CHECK(track::read_evaluations(folder / "evaluations.jsonl").empty());
  tests::write_text(folder / "metrics.jsonl", std::string(kReportLine) + "{\"step\":48");
  CHECK(track::read_reports(folder / "metrics.jsonl") == std::vector<Report>{kReport});
}

TEST_CASE("the last report is found without the others") {
  const tests::Folder folder;
  const std::string path = folder / "metrics.jsonl";
  CHECK(track::last_report(path) == std::nullopt);
  tests::write_text(path, "{\"step\":48");
  CHECK(track::last_report(path) == std::nullopt);
  tests::write_text(path, kReportLine);
  CHECK(track::last_report(path) == kReport);
  tests::write_text(path, std::string("not looked at\n") + kReportLine + "{\"step\":48");
  CHECK(track::last_report(path) == kReport);
  tests::write_text(path, std::string(kReportLine) + "\n");
  CHECK_THROWS_WITH(track::last_report(path), path + ":2: this line cannot be read");
}
