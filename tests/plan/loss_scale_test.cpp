#include "runner/plan/loss_scale.h"

#include <cmath>

#include <catch2/catch.hpp>

using knead::plan::absorbs_overflow;
using knead::plan::first_loss_scale;
using knead::plan::LossScale;
using knead::plan::next_loss_scale;
using knead::plan::sum_scale;
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

TEST_CASE("A sum is scaled by a power of two near one over the weight of its update") {
  CHECK(sum_scale(32, 32, 32) == std::ldexp(1.0, -5));         // a loss of samples
  CHECK(sum_scale(8, 8, 32) == std::ldexp(1.0, -5));           // its first micro-batch
  CHECK(sum_scale(4 * 4096, 4, 32) == std::ldexp(1.0, -17));   // numbers of images
  CHECK(sum_scale(3, 4, 12) == std::ldexp(1.0, -4));           // 1/9: some targets are ignored
  CHECK(sum_scale(0.25, 1, 2) == 2);                           // weights of classes
  CHECK(sum_scale(0, 4, 12) == std::ldexp(1.0, -4));           // none counts so far
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
