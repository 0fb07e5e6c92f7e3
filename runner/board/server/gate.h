#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace knead::board {

/// Holds the parts of a request that decide whether it is answered.
struct RequestFacts {
  std::string_view method;
  std::string_view target;                   // as sent: "/TOKEN/run?name=digits"
  std::optional<std::string_view> host{};    // std::nullopt unless there is exactly one
  std::optional<std::string_view> origin{};  // std::nullopt if there is none
};

/// Lets only those requests in that come from a page of this board or from somebody who was told
/// its address. A page of another origin does not know the token, cannot use a name of its own for
/// 127.0.0.1 (DNS rebinding), because the host is compared, and cannot send anything, because there
/// are no methods that change something.
class Gate {
 public:
  /// `token` is part of each target, `port` that of the board.
  Gate(std::string token, std::uint16_t port);

  /// Returns the status with which a request is refused; 0 if it may pass.
  int refusal(const RequestFacts& request) const;

  /// Returns the target of a request that may pass, without its token: "/run?name=digits".
  std::string_view below_token(std::string_view target) const;

  const std::string& token() const { return token_; }

 private:
  bool is_own(std::string_view authority) const;

  std::string token_;
  std::uint16_t port_;
};

}  // namespace knead::board
