#include "runner/plan/draw_token.h"

#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include <catch2/catch.hpp>

using knead::plan::draw_token;

namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

/// Returns which share of 10,000 evenly spread numbers gives each token.
std::map<std::uint32_t, double> shares(const std::vector<float>& scores,
                                       const knead::plan::Drawing& rule) {
  constexpr int kDraws = 10'000;
  std::map<std::uint32_t, double> out;
  for (int i = 0; i < kDraws; ++i)
    out[*draw_token(scores, rule, (i + 0.5) / kDraws)] += 1.0 / kDraws;
  return out;
}

const std::vector<float> kScores{std::log(0.1F), std::log(0.4F), std::log(0.3F), std::log(0.2F)};

}  // namespace

TEST_CASE("tokens are drawn with the probabilities that scores mean") {
  const auto all = shares(kScores, {});
  REQUIRE(all.size() == 4);
  const double expected[] = {0.1, 0.4, 0.3, 0.2};
  for (const auto& [token, share] : all) CHECK(share == Approx(expected[token]).margin(2e-4));
}

TEST_CASE("a temperature makes likely tokens likelier, or less so") {
  // The squares of the probabilities, over their sum of 0.3.
  CHECK(shares(kScores, {.temperature = 0.5}).at(1) == Approx(0.16 / 0.3).margin(2e-4));
  CHECK(shares(kScores, {.temperature = 1e6}).at(0) == Approx(0.25).margin(2e-4));
  for (const double at : {0.0, 0.5, 0.999}) {
    CHECK(draw_token(kScores, {.temperature = 0}, at) == 1);
    CHECK(draw_token(kScores, {.temperature = 1e-300}, at) == 1);
  }
}

TEST_CASE("top_k keeps the likeliest tokens") {
  const auto two = shares(kScores, {.top_k = 2});
  REQUIRE(two.size() == 2);
  CHECK(two.at(1) == Approx(4.0 / 7).margin(2e-4));
  CHECK(two.at(2) == Approx(3.0 / 7).margin(2e-4));
  CHECK(shares(kScores, {.top_k = 100}).size() == 4);
}

TEST_CASE("top_p keeps as few of the likeliest tokens as have that probability") {
  CHECK(shares(kScores, {.top_p = 0.3}).size() == 1);
  CHECK(shares(kScores, {.top_p = 0.41}).size() == 2);
  CHECK(shares(kScores, {.top_p = 0.71}).size() == 3);
  CHECK(shares(kScores, {.top_p = 1}).size() == 4);
  // It counts among the tokens that top_k has left: 4/7 and 3/7.
  CHECK(shares(kScores, {.top_k = 2, .top_p = 0.55}).size() == 1);
}

TEST_CASE("of equally likely tokens the lower one comes first") {
  const std::vector<float> equal(5, 1.0F);
  CHECK(draw_token(equal, {.temperature = 0}, 0.9) == 0);
  CHECK(draw_token(equal, {.top_k = 2}, 0.9) == 1);
}

TEST_CASE("a token without a probability is never drawn") {
  const std::vector<float> scores{kNever, 0, kNever, 0, kNever};
  CHECK(shares(scores, {}).size() == 2);
  CHECK(draw_token(scores, {}, 0x1.fffffffffffffp-1) == 3);
}

TEST_CASE("scores that no model means give no token") {
  CHECK_FALSE(draw_token(std::vector<float>{0, std::nanf("")}, {}, 0));
  CHECK_FALSE(draw_token(std::vector<float>{0, -kNever}, {}, 0));
  CHECK_FALSE(draw_token(std::vector<float>{kNever, kNever}, {}, 0));
  CHECK_FALSE(draw_token({}, {}, 0));
}
