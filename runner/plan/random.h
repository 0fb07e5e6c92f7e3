#pragma once

#include <array>
#include <cstdint>

namespace knead::plan {

/// What random numbers are for. Each purpose has a stream of its own, so that one that is not drawn
/// from changes nothing in another. The numbers are part of what a seed means: never reused.
enum class Purpose : std::uint32_t {
  order = 1,
  hold_out = 2,
  dropout = 3,
  evaluation = 4,
  windows = 5,
  augmentation = 8,
  sampler = 9,
  mix = 10
};

/// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel Random Numbers: As Easy as 1, 2, 3, 2011):
/// four random words that are a function of a counter and a key, without state.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key);

/// 64 random bits for a place in a stream: a function of its arguments alone.
std::uint64_t random_bits(std::uint64_t seed, Purpose purpose, std::uint32_t stream,
                          std::uint64_t position);

}  // namespace knead::plan
