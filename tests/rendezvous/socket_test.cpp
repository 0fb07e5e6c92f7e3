#include "runner/rendezvous/socket.h"

#include <catch2/catch.hpp>

#include "schema/document/error.h"

namespace knead::rendezvous {
namespace {

using std::chrono::steady_clock;

TEST_CASE("An endpoint is read from its text, IPv6 with brackets", "[rendezvous]") {
  const auto parts = [](const std::string& text) {
    const Endpoint endpoint = endpoint_in(text);
    return endpoint.host + " " + endpoint.port;
  };
  CHECK(parts("n01:29500") == "n01 29500");
  CHECK(parts("10.0.0.1:1") == "10.0.0.1 1");
  CHECK(parts("[fe80::1]:80") == "fe80::1 80");
  CHECK(parts("::1:80") == "::1 80");
  CHECK(endpoint_in("[::1]:80").text() == "[::1]:80");
  for (const char* const text :
       {"", "n01", "n01:", ":80", "n01:65536", "n01:-1", "n01:80x", "[]:1"})
    CHECK_THROWS_WITH(endpoint_in(text),
                      "'" + std::string(text) + "' does not name a place where ranks can meet");
}

TEST_CASE("A listener is reached at its own address alone", "[rendezvous]") {
  const Descriptor listener = listen_at({"127.0.0.1", "0"});
  const Endpoint own = own_end(listener);
  CHECK(own.host == "127.0.0.1");
  std::string why;
  const auto deadline = steady_clock::now() + std::chrono::seconds(5);
  CHECK(connect_to(own, deadline, why).is_open());
  CHECK_FALSE(connect_to({"127.0.0.2", own.port}, deadline, why).is_open());
  CHECK(why == "Connection refused");
  CHECK_THROWS_WITH(listen_at(own),
                    "rank 0 cannot listen at " + own.text() + ": Address already in use");
}

TEST_CASE("Addresses of this machine are found", "[rendezvous]") {
  CHECK(address_towards("127.0.0.1") == "127.0.0.1");
  CHECK(address_of_interface("lo") == "127.0.0.1");
  CHECK(address_of_interface("lo,eth0") == "127.0.0.1");
  CHECK_THROWS_WITH(address_of_interface("no0"),
                    "GLOO_SOCKET_IFNAME names 'no0', and no network interface of this machine has "
                    "that name and an address");
  CHECK(is_loopback("127.0.1.1"));
  CHECK(is_loopback("::1"));
  CHECK_FALSE(is_loopback("10.0.0.1"));
}

TEST_CASE("Waiting for a socket ends at the deadline", "[rendezvous]") {
  const Descriptor listener = listen_at({"127.0.0.1", "0"});
  const auto begin = steady_clock::now();
  CHECK_FALSE(wait_for(listener, /*to_write=*/false, begin + std::chrono::milliseconds(30)));
  CHECK(steady_clock::now() >= begin + std::chrono::milliseconds(30));
}

}  // namespace
}  // namespace knead::rendezvous
