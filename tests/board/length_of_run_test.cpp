#include "runner/board/runs/length_of_run.h"

#include <catch2/catch.hpp>

#include "runner/report/stored_recipe.h"

using knead::board::length_of_run;
using knead::track::Report;

namespace {

knead::board::LengthOfRun length(const std::string& recipe) {
  return length_of_run(knead::report::stored_recipe(recipe).tree);
}

Report at(std::uint64_t step, double time) {
  Report report;
  report.step = step;
  report.epoch = static_cast<double>(step) / 50;
  report.samples = step * 32;
  report.time = time;
  return report;
}

}  // namespace

TEST_CASE("the share of a run follows from its length, in any unit") {
  const Report report = at(100, 20);
  CHECK(length("train: {until: 400 steps}").share(report) == Approx(0.25));
  CHECK(length("train: {until: 4 epochs}").share(report) == Approx(0.5));
  CHECK(length("train: {until: 6400 samples}").share(report) == Approx(0.5));
  CHECK(length("train: {until: 40 s}").share(report) == Approx(0.5));
  CHECK(length("train: {until: 32000 tokens}\ndata: {train: {context: 5}}").share(report) ==
        Approx(0.5));
  CHECK(length("train: {until: 50 steps}").share(report) == Approx(1));
}

TEST_CASE("an unknown length has no share") {
  for (const char* recipe : {"", "train: {until: 32000 tokens}", "train: {until: soon}",
                             "train: {until: 0 steps}", "train: [1]"})
    CHECK(!length(recipe).share(at(100, 20)));
}

TEST_CASE("the time left follows from the speed of the last half minute") {
  const auto run = length("train: {until: 1000 steps}");
  CHECK(!run.seconds_left({}));
  CHECK(!run.seconds_left({at(10, 1)}));
  CHECK(run.seconds_left({at(100, 10), at(200, 20)}) == Approx(80));
  // The first hundred steps took an hour.
  CHECK(run.seconds_left({at(100, 3600), at(200, 3640), at(300, 3670)}) == Approx(210));
  CHECK(!run.seconds_left({at(200, 10), at(200, 20)}));
}
