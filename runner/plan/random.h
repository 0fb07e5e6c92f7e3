#pragma once

#include <array>
#include <cstdint>

namespace knead::plan {

/// The use of random numbers. Each purpose has its own stream, so that draws for one do not change
/// another. The values belong to the meaning of a seed and are never reused: another value for a
/// purpose would change the results of every recipe that draws for it.
enum class Purpose : std::uint32_t {
  order = 1,
  hold_out = 2,
  dropout = 3,
  evaluation = 4,
  windows = 5,
  augmentation = 8,
  sampler = 9,
  mix = 10,
  sweep_point = 11,
  sweep_shift = 12,
  sweep_candidate = 13,
  generated_token = 14
};

/// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel Random Numbers: As Easy as 1, 2, 3, 2011):
/// returns four random words as a function of counter and key, without state. Agrees with the known
/// answers of the authors' library Random123.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key);

/// Returns 64 random bits for a position in a stream, as a function of the arguments alone: the
/// same on every machine, in every process and thread, in any order of calls. What `stream` and
/// `position` count is up to the purpose, for example epoch and place.
std::uint64_t random_bits(std::uint64_t seed, Purpose purpose, std::uint32_t stream,
                          std::uint64_t position);

}  // namespace knead::plan
