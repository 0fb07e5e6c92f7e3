#pragma once

#include <array>
#include <cstdint>

#include "runner/plan/random.h"

namespace knead::plan {

/// A permutation of [0, n) that is a function of (seed, purpose, stream): a keyed bijection without
/// a table and without state, so that any place of it is known at once. Feistel rounds over the
/// smallest square of a power of two that holds n; what falls outside is sent through again (cycle
/// walking: Black and Rogaway, Ciphers with Arbitrary Finite Domains, 2002).
class Permutation {
 public:
  /// `stream`: the epoch, where the purpose is the order of one. n may be 0.
  Permutation(std::uint64_t n, std::uint64_t seed, Purpose purpose, std::uint32_t stream);

  std::uint64_t size() const { return n_; }

  /// What stands at `position` < size().
  std::uint64_t operator[](std::uint64_t position) const;

 private:
  static constexpr int kRounds = 8;

  std::uint64_t once(std::uint64_t value) const;

  std::uint64_t n_;
  int half_bits_;
  std::uint64_t half_mask_;
  std::array<std::uint64_t, kRounds> keys_;
};

}  // namespace knead::plan
