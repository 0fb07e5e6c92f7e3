#include "runner/data/transforms/draw.h"

#include <cmath>
#include <numbers>

#include "runner/plan/random.h"

namespace knead::data {

Draw::Draw(std::uint64_t seed, std::uint64_t epoch, std::uint64_t place, std::uint32_t transform)
    : transform_(transform) {
  const std::uint64_t key = plan::random_bits(seed, plan::Purpose::augmentation,
                                              static_cast<std::uint32_t>(epoch), place);
  key_ = {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)};
}

std::uint32_t Draw::word() {
  if (left_ == 0) {
    block_ = plan::philox({static_cast<std::uint32_t>(drawn_),
                           static_cast<std::uint32_t>(drawn_ >> 32), transform_, 0},
                          key_);
    ++drawn_;
    left_ = block_.size();
  }
  return block_[block_.size() - left_--];
}

double Draw::uniform() {
  // A double has 53 significant bits.
  const std::uint64_t high = word();
  return std::ldexp(static_cast<double>(((high << 32) | word()) >> 11), -53);
}

double Draw::uniform(double from, double to) { return from + (to - from) * uniform(); }

// Rounding down never gives `count`, since uniform() is at most 1 - 2^-53 and counts are far below
// 2^53.
std::int64_t Draw::below(std::int64_t count) {
  return static_cast<std::int64_t>(uniform() * static_cast<double>(count));
}

double Draw::normal() {
  // Box-Muller; 1 - uniform() is never 0, whose logarithm does not exist.
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

}  // namespace knead::data
