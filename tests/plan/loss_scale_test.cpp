#include "runner/plan/loss_scale.h"

#include <cmath>

#include <catch2/catch.hpp>

using knead::plan::absorbs_overflow;
using knead::plan::first_loss_scale;
using knead::plan::LossScale;
using knead::plan::next_loss_scale;
using knead::recipe::Precision;

namespace {

const Precision kHalf{.compute = Precision::Compute::fp16,
                      .scaler = {.init = 8, .growth = 2, .backoff = 0.5, .interval = 3},
                      .cache = true};

}  // namespace

TEST_CASE("The loss scale grows after steps without overflow and shrinks with one") {
  LossScale scale = first_loss_scale(kHalf);
  CHECK(scale == LossScale{8, 0});
  scale = next_loss_scale(kHalf, scale, true);
  CHECK(scale == LossScale{8, 1});
  scale = next_loss_scale(kHalf, scale, true);
  scale = next_loss_scale(kHalf, scale, true);
  CHECK(scale == LossScale{16, 0});
  scale = next_loss_scale(kHalf, {16, 2}, false);
  CHECK(scale == LossScale{8, 0});
}

TEST_CASE("A loss scale that has fallen below 1 absorbs nothing any more") {
  CHECK(absorbs_overflow(kHalf, {1, 0}));
  CHECK_FALSE(absorbs_overflow(kHalf, {0.5, 0}));
}

TEST_CASE("A loss scale does not grow beyond what a float holds") {
  CHECK(next_loss_scale(kHalf, {std::ldexp(1.0, 127), 2}, true) ==
        LossScale{std::ldexp(1.0, 127), 0});
}

TEST_CASE("Only fp16 is scaled") {
  for (const auto compute :
       {Precision::Compute::fp32, Precision::Compute::tf32, Precision::Compute::bf16}) {
    Precision precision = kHalf;
    precision.compute = compute;
    CHECK(first_loss_scale(precision) == LossScale{1, 0});
    CHECK(next_loss_scale(precision, {1, 0}, true) == LossScale{1, 0});
    CHECK_FALSE(absorbs_overflow(precision, {1, 0}));
  }
}
