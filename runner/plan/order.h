#pragma once

#include <array>
#include <cstdint>

#include "runner/plan/random.h"

namespace knead::plan {

/// A permutation of [0, n) that is a function of (seed, purpose, stream). It is a keyed bijection
/// without a table or state, so that any place is computed directly: Feistel rounds over the
/// smallest power of four that holds n, repeated while the result is outside of [0, n) (cycle
/// walking: Black and Rogaway, Ciphers with Arbitrary Finite Domains, 2002). A place takes at most
/// four passes through the network on average. Immutable: threads may share it. It shuffles well
/// and is not meant to resist an attacker.
class Permutation {
 public:
  /// `stream` is the epoch if the purpose is the order of an epoch. n may be 0.
  Permutation(std::uint64_t n, std::uint64_t seed, Purpose purpose, std::uint32_t stream);

  std::uint64_t size() const { return n_; }

  /// Returns the element at `position`, which must be less than size().
  std::uint64_t operator[](std::uint64_t position) const;

 private:
  static constexpr int kRounds = 8;  // of the Feistel network

  /// Applies the Feistel rounds once; the result may be n or more.
  std::uint64_t once(std::uint64_t value) const;

  std::uint64_t n_;
  int half_bits_;
  std::uint64_t half_mask_;
  std::array<std::uint64_t, kRounds> keys_;
};

}  // namespace knead::plan
