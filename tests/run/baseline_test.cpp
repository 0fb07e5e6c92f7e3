#include "runner/run/baseline.h"

#include <filesystem>
#include <fstream>

#include <catch2/catch.hpp>

#include "schema/document/error.h"
#include "tests/folder.h"

using namespace knead;

namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

std::string line(int step, double accuracy) {
  return "{\"step\":" + std::to_string(step) +
         ",\"set\":\"validation\",\"loss\":0.5,\"accuracy\":" + std::to_string(accuracy) +
         ",\"seconds\":0.1}\n";
}

recipe::Expectation next_to(const fs::path& baseline, const std::string& metric) {
  recipe::Expectation expectation;
  expectation.metric = metric;
  expectation.baseline = baseline;
  expectation.at_most_worse = 0.01;
  return expectation;
}

}  // namespace

TEST_CASE("The bound of a baseline is its value, worsened") {
  const tests::Folder folder;
  write(folder.path() / "run/evaluations.jsonl", line(10, 0.875) + line(20, 0.75));
  const auto of_run =
      run::with_baselines({next_to(folder.path() / "run", "validation/accuracy")}, {});
  CHECK(*of_run[0].at_least == Approx(0.74));
  CHECK_FALSE(of_run[0].at_most);
  recipe::Expectation best =
      next_to(folder.path() / "run/evaluations.jsonl", "validation/accuracy");
  best.value = recipe::Expectation::Value::best;
  CHECK(*run::with_baselines({best}, {})[0].at_least == Approx(0.865));
  const auto loss = run::with_baselines({next_to(folder.path() / "run", "validation/loss")}, {});
  CHECK(*loss[0].at_most == Approx(0.51));
}

TEST_CASE("The baseline of a sweep is the mean of its best point, with its uncertainty") {
  const tests::Folder folder;
  const fs::path sweep = folder.path() / "s/sweep";
  write(sweep / "a/evaluations.jsonl", line(10, 0.5));
  write(sweep / "b/evaluations.jsonl", line(10, 0.7));
  write(sweep / "c/evaluations.jsonl", line(10, 0.9));
  write(sweep / "sweep.jsonl",
        "{\"id\":\"a\",\"point\":0,\"state\":\"finished\"}\n{\"id\":\"b\",\"point\":1,\"state\":"
        "\"finished\"}\n{\"id\":\"c\",\"point\":1,\"state\":\"finished\"}\n");
  // The mean is 0.8, its standard error 0.1.
  for (const fs::path& path : {sweep, sweep.parent_path()})
    CHECK(*run::with_baselines({next_to(path, "validation/accuracy")}, {})[0].at_least ==
          Approx(0.8 - 0.01 - 0.2));
}

TEST_CASE("A baseline that is missing or empty is refused") {
  const tests::Folder folder;
  write(folder.path() / "run/evaluations.jsonl", line(10, 0.875));
  const std::string path = folder.path().string();
  CHECK_THROWS_WITH(run::with_baselines({next_to(path + "/no", "validation/accuracy")}, {}),
                    "the baseline " + path + "/no does not exist");
  CHECK_THROWS_WITH(run::with_baselines({next_to(path + "/run", "validation/f1")}, {}),
                    "the baseline " + path + "/run has no value of validation/f1");
}
