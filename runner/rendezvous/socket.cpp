#include "runner/rendezvous/socket.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>

#include <ifaddrs.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fmt/format.h>

#include "schema/document/error.h"

namespace knead::rendezvous {
namespace {

using Clock = std::chrono::steady_clock;

struct FreeAddresses {
  void operator()(addrinfo* list) const { freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;

/// Returns the addresses of an endpoint; null, with the reason in `why`, if it has none.
Addresses addresses_of(const Endpoint& endpoint, int kind, std::string& why) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = kind;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* list = nullptr;
  const int error = getaddrinfo(endpoint.host.c_str(), endpoint.port.c_str(), &hints, &list);
  if (error == 0) return Addresses(list);
  why = error == EAI_SYSTEM ? std::strerror(errno) : gai_strerror(error);
  return nullptr;
}

struct FreeInterfaces {
  void operator()(ifaddrs* list) const { freeifaddrs(list); }
};

/// Returns an address in digits.
Endpoint numeric(const sockaddr* address, socklen_t size) {
  char host[NI_MAXHOST] = "";
  char port[NI_MAXSERV] = "";
  getnameinfo(address, size, host, sizeof host, port, sizeof port, NI_NUMERICHOST | NI_NUMERICSERV);
  return {.host = host, .port = port};
}

Descriptor socket_for(const addrinfo& address) {
  return Descriptor(socket(address.ai_family, address.ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK,
                           address.ai_protocol));
}

/// Makes a socket send short messages without a delay.
void send_at_once(const Descriptor& socket) {
  const int yes = 1;
  setsockopt(socket.number(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

bool bind_and_listen(const Descriptor& socket, const addrinfo& address) {
  const int yes = 1;  // a connection of an earlier run that is not forgotten yet holds no port
  setsockopt(socket.number(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  return bind(socket.number(), address.ai_addr, address.ai_addrlen) == 0 &&
         listen(socket.number(), SOMAXCONN) == 0;
}

/// Ends a connection attempt. Returns the error that it ended with; 0 if it is connected.
int error_of_connecting(const Descriptor& socket, Clock::time_point deadline) {
  if (!wait_for(socket, /*to_write=*/true, deadline)) return ETIMEDOUT;
  int error = 0;
  socklen_t size = sizeof error;
  return getsockopt(socket.number(), SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

[[noreturn]] void refuse_host(const std::string& host, const std::string& why) {
  throw Error(fmt::format("this machine finds no way to '{}': {}", host, why),
              "MASTER_ADDR must name the machine of rank 0 as the other machines reach it");
}

}  // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) close(number_);
}

std::string Endpoint::text() const {
  return host.find(':') == std::string::npos ? host + ":" + port : "[" + host + "]:" + port;
}

Endpoint endpoint_in(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  Endpoint endpoint;
  if (colon != std::string::npos)
    endpoint = {.host = text.substr(0, colon), .port = text.substr(colon + 1)};
  if (endpoint.host.starts_with('[') && endpoint.host.ends_with(']'))
    endpoint.host = endpoint.host.substr(1, endpoint.host.size() - 2);
  std::uint16_t port = 0;
  const char* const end = endpoint.port.data() + endpoint.port.size();
  const auto read = std::from_chars(endpoint.port.data(), end, port);
  if (endpoint.host.empty() || read.ec != std::errc() || read.ptr != end)
    throw Error(fmt::format("'{}' does not name a place where ranks can meet", text),
                "MASTER_ADDR names a machine, and MASTER_PORT a port up to 65535");
  return endpoint;
}

Descriptor listen_at(const Endpoint& endpoint) {
  std::string why;
  const Addresses addresses = addresses_of(endpoint, SOCK_STREAM, why);
  for (const addrinfo* each = addresses.get(); each; each = each->ai_next) {
    Descriptor socket = socket_for(*each);
    if (socket.is_open() && bind_and_listen(socket, *each)) return socket;
    why = std::strerror(errno);
  }
  throw Error(fmt::format("rank 0 cannot listen at {}: {}", endpoint.text(), why),
              "MASTER_ADDR must be the address of the machine on which rank 0 runs, and "
              "MASTER_PORT a port that no other program uses");
}

Descriptor connect_to(const Endpoint& endpoint, Clock::time_point deadline, std::string& why) {
  const Addresses addresses = addresses_of(endpoint, SOCK_STREAM, why);
  for (const addrinfo* each = addresses.get(); each; each = each->ai_next) {
    Descriptor socket = socket_for(*each);
    int error = socket.is_open() ? 0 : errno;
    if (socket.is_open() && connect(socket.number(), each->ai_addr, each->ai_addrlen) != 0)
      error = errno == EINPROGRESS ? error_of_connecting(socket, deadline) : errno;
    if (error == 0) {
      send_at_once(socket);
      return socket;
    }
    why = std::strerror(error);
  }
  return Descriptor();
}

Descriptor accept_from(const Descriptor& listener) {
  Descriptor socket(accept4(listener.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (socket.is_open()) send_at_once(socket);
  return socket;
}

bool receive_some(const Descriptor& socket, std::string& bytes) {
  char part[65536];  // the rest waits for the next call, so that one sender cannot keep it here
  ssize_t count;
  do {
    count = recv(socket.number(), part, sizeof part, 0);
  } while (count < 0 && errno == EINTR);
  if (count > 0) bytes.append(part, static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK));
}

bool send_some(const Descriptor& socket, std::string& bytes) {
  while (!bytes.empty()) {
    // A connection that has ended must be an error and not SIGPIPE.
    const ssize_t count = send(socket.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count >= 0) {
      bytes.erase(0, static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      return errno == EAGAIN || errno == EWOULDBLOCK;
    }
  }
  return true;
}

bool send_all(const Descriptor& socket, std::string bytes, Clock::time_point deadline) {
  for (;;) {
    if (!send_some(socket, bytes)) return false;
    if (bytes.empty()) return true;
    if (!wait_for(socket, /*to_write=*/true, deadline)) return false;
  }
}

Endpoint own_end(const Descriptor& socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  auto* const plain = reinterpret_cast<sockaddr*>(&address);
  return getsockname(socket.number(), plain, &size) == 0 ? numeric(plain, size) : Endpoint{};
}

std::string address_towards(const std::string& host) {
  std::string why;
  // Connecting a datagram socket only chooses the route; port 9 is never sent to.
  const Addresses addresses = addresses_of({.host = host, .port = "9"}, SOCK_DGRAM, why);
  for (const addrinfo* each = addresses.get(); each; each = each->ai_next) {
    const Descriptor socket = socket_for(*each);
    if (socket.is_open() && connect(socket.number(), each->ai_addr, each->ai_addrlen) == 0)
      return own_end(socket).host;
    why = std::strerror(errno);
  }
  refuse_host(host, why);
}

std::string address_of_interface(const std::string& name) {
  const std::string first = name.substr(0, name.find(','));
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) list = nullptr;
  const std::unique_ptr<ifaddrs, FreeInterfaces> interfaces(list);
  for (const int family : {AF_INET, AF_INET6}) {
    for (const ifaddrs* each = list; each; each = each->ifa_next) {
      if (first != each->ifa_name || !each->ifa_addr || each->ifa_addr->sa_family != family)
        continue;
      return numeric(each->ifa_addr, family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6))
          .host;
    }
  }
  throw Error(fmt::format("GLOO_SOCKET_IFNAME names '{}', and no network interface of this machine "
                          "has that name and an address",
                          first),
              "'ip address' lists them");
}

bool is_loopback(const std::string& address) {
  return address.starts_with("127.") || address == "::1";
}

bool wait_for(const Descriptor& descriptor, bool to_write, Clock::time_point deadline) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd wanted{descriptor.number(), static_cast<short>(to_write ? POLLOUT : POLLIN), 0};
    const int ready = poll(&wanted, 1, static_cast<int>(std::clamp<long>(left, 0, 1'000'000)));
    if (ready > 0) return true;
    if (ready == 0 && left <= 1'000'000) return false;
    if (ready < 0 && errno != EINTR) return false;
  }
}

}  // namespace knead::rendezvous
