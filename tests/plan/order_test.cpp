#include "runner/plan/order.h"

#include <vector>

#include <catch2/catch.hpp>

using namespace knead::plan;

namespace {

std::vector<std::uint64_t> permutation(std::uint64_t n, std::uint64_t seed, std::uint32_t epoch) {
  const Permutation order(n, seed, Purpose::order, epoch);
  std::vector<std::uint64_t> out;
  for (std::uint64_t i = 0; i < n; ++i) out.push_back(order[i]);
  return out;
}

}  // namespace

TEST_CASE("Philox gives the published answers") {
  // Random123's known answers for philox4x32 with ten rounds.
  using Words = std::array<std::uint32_t, 4>;
  CHECK(philox({0, 0, 0, 0}, {0, 0}) == Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  constexpr std::uint32_t kAll = 0xffffffff;
  CHECK(philox({kAll, kAll, kAll, kAll}, {kAll, kAll}) ==
        Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("an order holds every sample once, whatever their number") {
  for (std::uint64_t n = 0; n <= 300; ++n) {
    std::vector<bool> seen(n);
    for (const std::uint64_t sample : permutation(n, 7, 3)) {
      REQUIRE(sample < n);
      REQUIRE_FALSE(seen[sample]);
      seen[sample] = true;
    }
  }
}

TEST_CASE("seeds, epochs and purposes have orders of their own, and the same one each time") {
  CHECK(permutation(100, 0, 0) == permutation(100, 0, 0));
  CHECK(permutation(100, 0, 0) != permutation(100, 1, 0));
  CHECK(permutation(100, 0, 0) != permutation(100, 0, 1));
  const Permutation other(100, 0, Purpose::hold_out, 0);
  CHECK(permutation(100, 0, 0)[0] + permutation(100, 0, 0)[1] != other[0] + other[1]);
}

TEST_CASE("every sample comes to every place about equally often") {
  // 5,000 orders of 10: 500 ± 21 expected at each place; the 100 cells' chi-square has 81 degrees
  // of freedom, and exceeds 140 with a probability of 1 in 20,000. The seeds are fixed.
  constexpr std::uint64_t kSamples = 10;
  constexpr std::uint32_t kOrders = 5000;
  std::vector<std::vector<int>> counts(kSamples, std::vector<int>(kSamples));
  for (std::uint32_t epoch = 0; epoch < kOrders; ++epoch) {
    const auto order = permutation(kSamples, 42, epoch);
    for (std::uint64_t place = 0; place < kSamples; ++place) ++counts[place][order[place]];
  }
  double chi_square = 0;
  const double expected = static_cast<double>(kOrders) / kSamples;
  for (const auto& row : counts) {
    for (const int count : row) chi_square += (count - expected) * (count - expected) / expected;
  }
  CHECK(chi_square < 140);
}

TEST_CASE("neighbours in one order are not neighbours in the next") {
  const auto order = permutation(10000, 1, 0);
  int neighbours = 0;
  for (std::size_t i = 1; i < order.size(); ++i) {
    if (order[i] == order[i - 1] + 1) ++neighbours;
  }
  CHECK(neighbours < 8);  // 1 is expected
}
