#pragma once

#include <array>
#include <cstdint>

namespace knead::data {

/// Draws the random numbers for one transform of one sample. Each number is a function of seed,
/// epoch, position of the sample in the epoch, position of the transform in its list, and the count
/// of numbers drawn before. Two objects made with equal arguments give equal numbers, so that
/// several fields of a sample are cropped or flipped alike. Needs no memory between samples: one
/// object is made for each use. Computed by Philox, see plan/random.h.
class Draw {
 public:
  /// `place`: position of the sample in the epoch. `transform`: position in the list of transforms.
  /// Only the lower 32 bits of `epoch` count.
  Draw(std::uint64_t seed, std::uint64_t epoch, std::uint64_t place, std::uint32_t transform);

  double uniform();                        // [0, 1)
  double uniform(double from, double to);  // [from, to)
  std::int64_t below(std::int64_t count);  // integer in [0, count)
  double normal();                         // mean 0, standard deviation 1

 private:
  /// Returns the next 32 random bits.
  std::uint32_t word();

  std::array<std::uint32_t, 2> key_;
  std::uint32_t transform_;
  std::uint64_t drawn_ = 0;  // number of blocks of four words
  std::array<std::uint32_t, 4> block_{};
  std::size_t left_ = 0;  // unused words of block_
};

}  // namespace knead::data
