// Any bytes as what a server answers: the head, then the body up to its end. Whatever they are,
// they are read or refused, and the body is no longer than what was sent.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <sys/socket.h>
#include <unistd.h>

#include "runner/web/connection.h"

namespace {

using namespace knead;

constexpr std::size_t kMostBytes = 1 << 16;  // what a socket takes without a reader

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  std::abort();
}

void read_answer(int socket, std::size_t size) {
  const web::Address address = web::parse_address("http://127.0.0.1:1/a/b?c");
  web::Connection connection(address, socket);
  connection.give_up_at(web::Connection::Clock::now() + std::chrono::seconds(5), "too late");
  const web::Head head = connection.ask({.method = "GET", .path = address.path}, {});
  if (head.status < 200 || head.status > 999) fail("a status that is none");
  if (!head.location.empty()) {
    const web::Address other = web::redirected(address, head.location);
    if (web::port_of(other) < 1 || web::port_of(other) > 65535) fail("a port that is none");
    if (web::encoded_target(other.path).find_first_of(" \r\n") != std::string::npos)
      fail("a target that ends its line");
  }
  char block[1000];
  std::size_t body = 0;
  while (const std::size_t count = connection.read(block, sizeof block)) body += count;
  if (body > size) fail("a body longer than the answer");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > kMostBytes) return 0;
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail("no sockets");
  if (::write(ends[0], data, size) != static_cast<ssize_t>(size)) fail("a socket takes no bytes");
  ::shutdown(ends[0], SHUT_WR);
  try {
    read_answer(ends[1], size);
  } catch (const web::NoAnswer& reason) {
    if (std::string(reason.what()).empty()) fail("an error without words");
    if (std::string(reason.what()) == "too late") fail("an answer that does not end");
  }
  ::close(ends[0]);
  return 0;
}
