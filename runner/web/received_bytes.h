#pragma once

#include <cstdint>

namespace knead::web {

/// Returns the bytes that a TCP connection has received so far; 0 if the system does not tell.
std::uint64_t received_bytes(int socket);

}  // namespace knead::web
