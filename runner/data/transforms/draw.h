#pragma once

#include <array>
#include <cstdint>

namespace knead::data {

/// The random numbers of one transform of one sample: a function of (seed, epoch, place of the
/// sample in the epoch, place of the transform in its list) and of how many were drawn before.
class Draw {
 public:
  Draw(std::uint64_t seed, std::uint64_t epoch, std::uint64_t place, std::uint32_t transform);

  double uniform();                        // [0, 1)
  double uniform(double from, double to);  // [from, to)
  std::int64_t below(std::int64_t count);  // [0, count)
  double normal();                         // mean 0, deviation 1

 private:
  std::uint32_t word();

  std::array<std::uint32_t, 2> key_;
  std::uint32_t transform_;
  std::uint64_t drawn_ = 0;  // blocks of four words
  std::array<std::uint32_t, 4> block_{};
  std::size_t left_ = 0;  // words of the block
};

}  // namespace knead::data
