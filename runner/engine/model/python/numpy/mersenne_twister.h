#pragma once

#include <array>
#include <cstdint>

namespace knead::engine::model::numpy {

/// The generator MT19937 with the draws of NumPy's RandomState, bit for bit. A plain struct, so
/// that its bytes are its state. Matsumoto and Nishimura, "Mersenne Twister", 1998.
struct MersenneTwister {
  static constexpr int kWords = 624;

  std::array<std::uint32_t, kWords> words{};
  std::int32_t next = kWords;  // the word that is drawn next
  std::int32_t has_gaussian = 0;
  double gaussian = 0;  // the second one of a pair, kept for the next draw

  void seed(std::uint32_t number);
  /// Starts with a number of two words, as Python's random.seed() does: one word if `high` is 0.
  void seed_by_key(std::uint32_t low, std::uint32_t high);

  std::uint32_t draw();
  /// Returns a number from 0 up to 1, with 53 bits.
  double draw_double();
  /// Returns a number of the normal distribution, by the polar method of Marsaglia.
  double draw_gaussian();
  /// Returns a whole number from 0 to `most`, drawn anew until it fits.
  std::uint64_t draw_up_to(std::uint64_t most);

 private:
  void refill();
};

}  // namespace knead::engine::model::numpy
