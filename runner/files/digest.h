#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

struct XXH3_state_s;

namespace knead::files {

/// Returns XXH3-128 of `bytes` as 32 hexadecimal digits: detects damage and difference, but not
/// forgery; see sha256.h for that. The digits are those of `xxhsum -H2`, the high half first.
std::string digest(std::string_view bytes);

/// Computes XXH3-128 of bytes that come in pieces; the digest does not depend on how they are cut.
/// Needs constant memory. Not thread-safe.
class RunningDigest {
 public:
  /// Throws std::bad_alloc if there is no memory for the state.
  RunningDigest();
  ~RunningDigest();

  void add(std::span<const std::byte> bytes);
  /// Returns the digest of all bytes added so far, as 32 hexadecimal digits; more may follow.
  std::string text() const;

 private:
  /// Frees the state of libxxhash.
  struct Free {
    void operator()(XXH3_state_s* state) const;
  };
  std::unique_ptr<XXH3_state_s, Free> state_;
};

}  // namespace knead::files
