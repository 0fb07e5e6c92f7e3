#include "runner/run/progress.h"

#include <nlohmann/json.hpp>

#include "schema/document/error.h"

#include <catch2/catch.hpp>

using knead::run::Progress;
using knead::run::progress_from;
using knead::run::to_json;

namespace {

Progress after_seven_steps() {
  Progress progress;
  progress.step = 7;
  return progress;
}

}  // namespace

TEST_CASE("Progress goes through a checkpoint") {
  Progress progress = after_seven_steps();
  progress.samples = 224;
  progress.seconds = 1.5;
  progress.sample_weight = 63.5;
  const Progress read = progress_from(to_json(progress));
  CHECK(read.step == 7);
  CHECK(read.samples == 224);
  CHECK(read.seconds == 1.5);
  CHECK(read.sample_weight == 63.5);
}

TEST_CASE("What only several ranks know is not in the checkpoint of a single one") {
  const nlohmann::json json = to_json(after_seven_steps());
  CHECK_FALSE(json.contains("sample_weight"));
  CHECK(progress_from(json).sample_weight == 0);
}

TEST_CASE("A checkpoint that lacks a number is refused") {
  nlohmann::json json = to_json(after_seven_steps());
  json.erase("samples");
  CHECK_THROWS_WITH(progress_from(json), "the checkpoint does not say 'samples'");
}
