#include "runner/web/received_bytes.h"

#include <cstddef>

// The kernel's header and that of glibc, which cpp-httplib includes, declare the same names, and
// glibc's lacks the number. Therefore this file is compiled by itself.
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace knead::web {

std::uint64_t received_bytes(int socket) {
  struct tcp_info facts {};
  socklen_t size = sizeof facts;
  if (::getsockopt(socket, IPPROTO_TCP, TCP_INFO, &facts, &size) != 0) return 0;
  const bool is_told =
      size >= offsetof(struct tcp_info, tcpi_bytes_received) + sizeof facts.tcpi_bytes_received;
  return is_told ? facts.tcpi_bytes_received : 0;
}

}  // namespace knead::web
