#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

struct XXH3_state_s;

namespace knead::files {

/// XXH3-128 of some bytes as 32 hexadecimal digits: finds damage and difference, not forgery.
std::string digest(std::string_view bytes);

/// The same of bytes that come in pieces; how they were cut does not matter.
class RunningDigest {
 public:
  RunningDigest();
  ~RunningDigest();

  void add(std::span<const std::byte> bytes);
  /// Of everything added so far.
  std::string text() const;

 private:
  struct Free {
    void operator()(XXH3_state_s* state) const;
  };
  std::unique_ptr<XXH3_state_s, Free> state_;
};

}  // namespace knead::files
