#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace knead::rendezvous {

/// Says who a rank is, to the ranks that it meets.
struct Ticket {
  /// Counts from 0.
  int rank = 0;
  int ranks = 1;
  /// Names the run and its start, so that ranks of another run, or of an earlier start, are
  /// refused.
  std::string run{};
  /// Holds the secret that all ranks must know; empty: none is asked for.
  std::string token{};
};

/// Returns 32 random bytes, which make each proof unique. Throws knead::Error if the system has
/// none.
std::string new_nonce();

/// Returns HMAC-SHA256 of `text` with the token as key, 32 bytes: a rank proves with it that it
/// knows the token, without sending it.
std::string prove(const std::string& token, std::string_view text);

/// Compares two proofs in a time that does not depend on their bytes.
bool is_equal(std::string_view first, std::string_view second);

}  // namespace knead::rendezvous
