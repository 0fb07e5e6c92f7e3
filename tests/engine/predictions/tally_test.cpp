#include "runner/engine/predictions/tally.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <catch2/catch.hpp>

using namespace knead::engine;

namespace {

std::vector<JudgedSample> judged_samples() {
  std::mt19937 random(1);
  std::vector<JudgedSample> all;
  for (std::uint64_t i = 0; i < 200; ++i) {
    JudgedSample each{.sample = i, .loss = static_cast<double>(random() % 50) / 7};
    each.target = static_cast<double>(random() % 5);
    each.predicted = static_cast<double>(random() % 5);
    each.confidence = static_cast<float>(random() % 1000) / 1000.0F;
    all.push_back(each);
  }
  all[17].loss = NAN;
  return all;
}

PredictionTally tally_of(const std::vector<JudgedSample>& samples) {
  PredictionTally tally(6);
  for (const JudgedSample& each : samples) {
    tally.add(each, 5);
    for (std::uint64_t k = 0; k < 4; ++k)
      tally.add_point(each.sample * 4 + k, each.loss, each.confidence);
  }
  return tally;
}

/// The numbers of a tally in a form in which NaN equals NaN.
std::string text_of(const PredictionTally& tally) {
  std::string text;
  for (const double each : tally.numbers()) text += std::to_string(each) + " ";
  return text;
}

}  // namespace

TEST_CASE("a tally does not depend on the order of samples, nor on how ranks share them") {
  std::vector<JudgedSample> samples = judged_samples();
  const std::string wanted = text_of(tally_of(samples));
  std::mt19937 random(2);
  for (int round = 0; round < 5; ++round) {
    std::shuffle(samples.begin(), samples.end(), random);
    CHECK(text_of(tally_of(samples)) == wanted);
    PredictionTally merged(6);
    for (std::size_t at = 0; at < samples.size();) {
      const std::size_t end = std::min(samples.size(), at + 1 + random() % 90);
      const std::vector<JudgedSample> part(samples.begin() + static_cast<std::ptrdiff_t>(at),
                                           samples.begin() + static_cast<std::ptrdiff_t>(end));
      merged.merge(PredictionTally::from(6, tally_of(part).numbers()));
      at = end;
    }
    CHECK(text_of(merged) == wanted);
  }
}

TEST_CASE("a tally keeps the worst and the best samples, NaN first, and counts the rest") {
  const PredictionTally tally = tally_of(judged_samples());
  REQUIRE(tally.worst().size() == 6);
  REQUIRE(tally.best().size() == 6);
  CHECK(tally.worst()[0].sample == 17);
  double least = 100, largest = 0;
  for (const JudgedSample& each : judged_samples()) {
    least = std::fmin(least, each.loss);
    largest = std::fmax(largest, each.loss);
  }
  CHECK(tally.worst()[1].loss == largest);
  CHECK(tally.best()[0].loss == least);
  for (std::size_t i = 2; i < 6; ++i) {
    const JudgedSample &before = tally.worst()[i - 1], &each = tally.worst()[i];
    CHECK((before.loss > each.loss || (before.loss == each.loss && before.sample < each.sample)));
  }
  CHECK(tally.samples() == 200);
  CHECK(tally.classes() == 5);
  std::uint64_t pairs = 0, counted = 0;
  for (const auto& [pair, count] : tally.pairs()) pairs += count;
  for (const auto& bin : tally.bins()) counted += bin.count;
  CHECK(pairs == 200);
  CHECK(counted == 200);
  CHECK(tally.points().size() == PredictionTally::kMostPoints);
}
