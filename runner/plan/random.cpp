#include "runner/plan/random.h"

namespace knead::plan {
namespace {

/// The constants of Philox4x32-10 in the paper.
constexpr std::uint32_t kMultiplier0 = 0xD2511F53;
constexpr std::uint32_t kMultiplier1 = 0xCD9E8D57;
constexpr std::uint32_t kWeyl0 = 0x9E3779B9;
constexpr std::uint32_t kWeyl1 = 0xBB67AE85;
constexpr int kRounds = 10;

std::uint32_t low(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
std::uint32_t high(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); }

}  // namespace

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < kRounds; ++round) {
    const std::uint64_t product0 = std::uint64_t{kMultiplier0} * counter[0];
    const std::uint64_t product1 = std::uint64_t{kMultiplier1} * counter[2];
    counter = {high(product1) ^ counter[1] ^ key[0], low(product1),
               high(product0) ^ counter[3] ^ key[1], low(product0)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return counter;
}

std::uint64_t random_bits(std::uint64_t seed, Purpose purpose, std::uint32_t stream,
                          std::uint64_t position) {
  // Position, stream and purpose fill the counter side by side, so that no two draws of a seed
  // share one.
  const auto words =
      philox({low(position), high(position), stream, static_cast<std::uint32_t>(purpose)},
             {low(seed), high(seed)});
  return (std::uint64_t{words[1]} << 32) | words[0];
}

}  // namespace knead::plan
