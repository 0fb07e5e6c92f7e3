#include "runner/report/curves.h"

#include <cmath>

#include <catch2/catch.hpp>

#include "runner/track/tracker.h"
#include "tests/folder.h"

using namespace knead;

namespace {

report::Curves read(const tests::Folder& folder, report::ContainedFiles& files,
                    const std::string& text) {
  folder.write(track::kMetricsFile, text);
  report::Curves curves(files, folder.path(), 512);
  curves.read_on();
  return curves;
}

}  // namespace

TEST_CASE("all numbers of a journal but the axes are curves") {
  const tests::Folder folder;
  report::ContainedFiles files(folder.path());
  const auto curves = read(folder, files,
                           R"({"step":10,"epoch":0.5,"samples":320,"time":2,"loss":1.5,"lr":1e-3})"
                           "\n"
                           R"({"step":20,"epoch":1,"samples":640,"time":6,"loss":"NaN","new":-7})"
                           "\n");
  REQUIRE(curves.curves().size() == 3);
  CHECK(curves.curves()[0].name == "loss");
  CHECK(curves.find("lr")->columns().front().least == 0.001);
  CHECK(curves.find("new")->columns().front().last.seconds == 6);
  CHECK(curves.find("loss")->not_finite() == 1);
  CHECK(curves.find("other") == nullptr);
  CHECK(curves.reports() == 2);
  CHECK(curves.notes().empty());
  // Between two reports, before the first one and behind the last one.
  CHECK(curves.position_of(15).seconds == Approx(4));
  CHECK(curves.position_of(5).epoch == Approx(0.25));
  CHECK(curves.position_of(20).epoch == Approx(1));
  CHECK(curves.position_of(40).epoch == Approx(2));
}

TEST_CASE("a line in other words is read as well") {
  const tests::Folder folder;
  report::ContainedFiles files(folder.path());
  const auto curves =
      read(folder, files,
           "{ \"st\\u0065p\" : 1 , \"é\": 2, \"list\": [1], \"loss\": -Infinity }\n"
           "{ \"st\\u0065p\" : 1 , \"é\": 2, \"list\": [1], \"loss\": \"-Infinity\" }\n");
  REQUIRE(curves.curves().size() == 2);
  CHECK(curves.find("é")->columns().front().least == 2);
  CHECK(curves.find("loss")->not_finite() == 1);
  CHECK(curves.notes() ==
        std::vector<std::string>{"1 line of metrics.jsonl is left out: not the report of a step"});
}

TEST_CASE("lines that are no reports are left out, with a note") {
  const tests::Folder folder;
  report::ContainedFiles files(folder.path());
  const std::string nul("{\"step\":1,\"a\0b\":1}\n", 19);
  const auto curves =
      read(folder, files,
           nul + "\xff\xfe\n[1]\n{}\n{\"step\":\"x\"}\n" + std::string(60'000, '[') + "\n" +
               std::string(70'000, ' ') + "\n{\"step\":3,\"loss\":1}\n{\"step\":4");
  CHECK(curves.reports() == 1);
  CHECK(curves.notes() ==
        std::vector<std::string>{"6 lines of metrics.jsonl are left out: not the report of a step",
                                 "1 line of metrics.jsonl is left out: longer than 64 kB"});
}

TEST_CASE("names of numbers are bounded") {
  const tests::Folder folder;
  report::ContainedFiles files(folder.path());
  std::string text;
  for (int i = 0; i < 1000; ++i)
    text += "{\"step\":" + std::to_string(i) + ",\"n" + std::to_string(i) + "\":1}\n";
  CHECK(read(folder, files, text).curves().size() == report::Curves::kMostCurves);
}

TEST_CASE("evaluations are those that the run has written") {
  const tests::Folder folder;
  const plan::Evaluations wanted{
      {47, "validation", {{"loss", 1.75}, {"accuracy", 0.5}}, 0.25},
      {94, "test", {{"loss", std::numeric_limits<double>::infinity()}}, 0.5}};
  folder.write(track::kEvaluationsFile, track::to_text(wanted) + "{\"step\":1}\n");
  report::ContainedFiles files(folder.path());
  report::EvaluationJournal journal(files, folder.path());
  CHECK(journal.read_on());
  CHECK(journal.evaluations() == wanted);
  CHECK(journal.notes() ==
        std::vector<std::string>{"1 line of evaluations.jsonl is left out: not an evaluation"});
  CHECK_FALSE(journal.read_on());
}
