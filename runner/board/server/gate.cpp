#include "runner/board/server/gate.h"

#include <utility>

#include <fmt/format.h>

namespace knead::board {
namespace {

/// Compares in a time that does not depend on where two texts differ.
bool is_same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference |= static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

}  // namespace

Gate::Gate(std::string token, std::uint16_t port) : token_(std::move(token)), port_(port) {}

bool Gate::is_own(std::string_view authority) const {
  return authority == fmt::format("127.0.0.1:{}", port_) ||
         authority == fmt::format("localhost:{}", port_);
}

int Gate::refusal(const RequestFacts& request) const {
  constexpr std::string_view kScheme = "http://";
  if (!request.host || !is_own(*request.host)) return 403;
  if (request.origin) {
    const bool is_http = request.origin->starts_with(kScheme);
    if (!is_http || !is_own(request.origin->substr(kScheme.size()))) return 403;
  }
  if (request.method != "GET" && request.method != "HEAD") return 405;
  // Whoever does not know the token does not learn what there is.
  const std::string_view target = request.target;
  if (!target.starts_with('/') || !is_same(target.substr(1, token_.size()), token_)) return 404;
  if (target.size() <= token_.size() + 1 || target[token_.size() + 1] != '/') return 404;
  return 0;
}

std::string_view Gate::below_token(std::string_view target) const {
  return target.substr(token_.size() + 1);
}

}  // namespace knead::board
