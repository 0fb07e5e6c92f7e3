#include "runner/plan/order.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace knead::plan {
namespace {

/// Mixes all bits of a word: the finaliser of SplitMix64 (Steele, Lea, Flood: Fast Splittable
/// Pseudorandom Number Generators, 2014).
std::uint64_t mixed(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
  return bits ^ (bits >> 31);
}

}  // namespace

Permutation::Permutation(std::uint64_t n, std::uint64_t seed, Purpose purpose, std::uint32_t stream)
    : n_(n) {
  const int bits = n > 1 ? std::bit_width(n - 1) : 1;
  // Both halves have the same size, so at most 4n values are permuted and the walk is short.
  half_bits_ = std::max(1, (bits + 1) / 2);
  half_mask_ = (std::uint64_t{1} << half_bits_) - 1;
  for (int round = 0; round < kRounds; ++round) {
    keys_[static_cast<std::size_t>(round)] =
        random_bits(seed, purpose, stream, static_cast<std::uint64_t>(round));
  }
}

std::uint64_t Permutation::once(std::uint64_t value) const {
  std::uint64_t left = value >> half_bits_;
  std::uint64_t right = value & half_mask_;
  for (const std::uint64_t key : keys_) {
    const std::uint64_t next = left ^ (mixed(right ^ key) & half_mask_);
    left = right;
    right = next;
  }
  return (left << half_bits_) | right;
}

std::uint64_t Permutation::operator[](std::uint64_t position) const {
  assert(position < n_);
  std::uint64_t value = once(position);
  while (value >= n_) value = once(value);
  return value;
}

}  // namespace knead::plan
