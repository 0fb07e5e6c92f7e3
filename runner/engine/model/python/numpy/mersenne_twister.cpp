#include "runner/engine/model/python/numpy/mersenne_twister.h"

#include <bit>
#include <cmath>
#include <limits>

namespace knead::engine::model::numpy {

void MersenneTwister::seed(std::uint32_t number) {
  for (std::uint32_t i = 0; i < kWords; ++i) {
    words[i] = number;
    number = 1812433253U * (number ^ (number >> 30U)) + i + 1;
  }
  next = kWords;
  has_gaussian = 0;
  gaussian = 0;
}

void MersenneTwister::seed_by_key(std::uint32_t low, std::uint32_t high) {
  seed(19650218U);
  const std::array<std::uint32_t, 2> key{low, high};
  const std::size_t length = high == 0 ? 1 : 2;
  std::size_t i = 1;
  const auto mixed = [&](std::uint32_t factor) {
    const std::uint32_t before = words[i - 1];
    return words[i] ^ ((before ^ (before >> 30U)) * factor);
  };
  const auto advance = [&] {
    if (++i < kWords) return;
    words[0] = words[kWords - 1];
    i = 1;
  };
  for (std::size_t k = 0; k < kWords; ++k) {
    const std::size_t j = k % length;
    words[i] = mixed(1664525U) + key[j] + static_cast<std::uint32_t>(j);
    advance();
  }
  for (std::size_t k = 1; k < kWords; ++k) {
    words[i] = mixed(1566083941U) - static_cast<std::uint32_t>(i);
    advance();
  }
  words[0] = 0x80000000U;
}

void MersenneTwister::refill() {
  constexpr int kMiddle = 397;
  for (int i = 0; i < kWords; ++i) {
    const auto at = [&](int place) -> std::uint32_t& {
      return words[static_cast<std::size_t>(place % kWords)];
    };
    const std::uint32_t both = (at(i) & 0x80000000U) | (at(i + 1) & 0x7fffffffU);
    at(i) = at(i + kMiddle) ^ (both >> 1U) ^ ((both & 1U) != 0 ? 0x9908b0dfU : 0U);
  }
  next = 0;
}

std::uint32_t MersenneTwister::draw() {
  if (next == kWords) refill();
  std::uint32_t word = words[static_cast<std::size_t>(next++)];
  word ^= word >> 11U;
  word ^= (word << 7U) & 0x9d2c5680U;
  word ^= (word << 15U) & 0xefc60000U;
  return word ^ (word >> 18U);
}

double MersenneTwister::draw_double() {
  const std::uint32_t high = draw() >> 5U;
  const std::uint32_t low = draw() >> 6U;
  return (high * 67108864.0 + low) / 9007199254740992.0;
}

double MersenneTwister::draw_gaussian() {
  if (has_gaussian != 0) {
    has_gaussian = 0;
    const double kept = gaussian;
    gaussian = 0;
    return kept;
  }
  double x = 0;
  double y = 0;
  double square = 0;
  do {
    x = 2.0 * draw_double() - 1.0;
    y = 2.0 * draw_double() - 1.0;
    square = x * x + y * y;
  } while (square >= 1.0 || square == 0.0);
  const double factor = std::sqrt(-2.0 * std::log(square) / square);
  gaussian = factor * x;
  has_gaussian = 1;
  return factor * y;
}

std::uint64_t MersenneTwister::draw_up_to(std::uint64_t most) {
  if (most == 0) return 0;
  const std::uint64_t mask = std::numeric_limits<std::uint64_t>::max() >> std::countl_zero(most);
  while (true) {
    std::uint64_t number = draw();
    // The first word of two is the upper half.
    if (most > std::numeric_limits<std::uint32_t>::max()) number = (number << 32U) | draw();
    number &= mask;
    if (number <= most) return number;
  }
}

}  // namespace knead::engine::model::numpy
