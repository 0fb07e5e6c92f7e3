#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>

namespace knead::rendezvous {

/// Owns a descriptor; closes it.
class Descriptor {
 public:
  explicit Descriptor(int number = -1) : number_(number) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }

 private:
  int number_;
};

/// Names where rank 0 listens.
struct Endpoint {
  std::string host;  // a name or an address, that of IPv6 without brackets
  std::string port;  // a number; "0" when listening: any that is free

  /// Returns "host:port", with brackets around an address of IPv6.
  std::string text() const;
};

/// Reads what Endpoint::text() returns. Throws knead::Error for other texts.
Endpoint endpoint_in(const std::string& text);

/// Listens at an endpoint, on the address of its host alone. The result does not block. Throws
/// knead::Error (Exit::not_usable) if the host has no address, or this machine cannot listen there.
Descriptor listen_at(const Endpoint& endpoint);

/// Connects to an endpoint before `deadline`. Returns a descriptor that does not block; one that is
/// not open, with the reason in `why`, if that failed.
Descriptor connect_to(const Endpoint& endpoint, std::chrono::steady_clock::time_point deadline,
                      std::string& why);

/// Accepts a connection that has arrived. Returns a descriptor that does not block; one that is not
/// open if there is none.
Descriptor accept_from(const Descriptor& listener);

/// Appends the bytes that have arrived. Returns false if the connection has ended; the descriptor
/// must not block.
bool receive_some(const Descriptor& socket, std::string& bytes);

/// Sends bytes as far as that does not wait, and removes them from `bytes`. Returns false if the
/// connection has ended.
bool send_some(const Descriptor& socket, std::string& bytes);

/// Sends all bytes before `deadline`. Returns false if the connection or the time has ended.
bool send_all(const Descriptor& socket, std::string bytes,
              std::chrono::steady_clock::time_point deadline);

/// Returns the address and the port that a socket of this machine has.
Endpoint own_end(const Descriptor& socket);

/// Returns the address of this machine from which it reaches a host. Sends nothing. Throws
/// knead::Error (Exit::not_usable) if it does not reach it.
std::string address_towards(const std::string& host);

/// Returns the address of a network interface, that of IPv4 before that of IPv6. Of a list with
/// commas the first counts. Throws knead::Error (Exit::not_usable) if there is none.
std::string address_of_interface(const std::string& name);

/// Returns whether an address is one that only its own machine reaches.
bool is_loopback(const std::string& address);

/// Waits until a descriptor can be read or, if `to_write`, written. Returns false if the deadline
/// comes first.
bool wait_for(const Descriptor& descriptor, bool to_write,
              std::chrono::steady_clock::time_point deadline);

}  // namespace knead::rendezvous
