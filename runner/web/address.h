#pragma once

#include <string>
#include <string_view>

#include "schema/document/error.h"

namespace knead::web {

/// Holds the parts of a URL that a connection needs. A fragment (#…) is dropped.
struct Address {
  std::string scheme;  // "https" or "http"
  std::string host;    // with the port if the URL has one: "example.org:8080"
  std::string path;    // with the query; at least "/"
  std::string name;    // last part of the path; "file" if that is empty or hidden

  /// Returns scheme and host: "https://example.org:8080".
  std::string origin() const { return scheme + "://" + host; }
};

/// Splits a URL: "https://example.org/a/b.csv?x=1" gives the host "example.org", the path
/// "/a/b.csv?x=1" and the name "b.csv". Throws knead::Error, with the exit code of an invalid
/// recipe, if it is not an http or https URL, names no host or no possible port, or holds a user
/// name, control characters or blanks. The message then repeats the URL, but no user name. Pure.
Address parse_address(const std::string& url);

/// Returns the host without its port, and without the brackets of an IPv6 address. Pure.
std::string host_name(const Address& address);

/// Returns the port: the one of the URL, or that of the scheme. Pure.
int port_of(const Address& address);

/// Returns a path with its query as it stands in a request: bytes that must not stand there are
/// percent-encoded. Pure.
std::string encoded_target(std::string_view path);

/// Reports that a request has no answer. what() is a clause without the address: "no connection can
/// be made".
class NoAnswer : public Error {
 public:
  using Error::Error;
};

/// Returns the address to which a server redirects a request for `from`; `location` is absolute or
/// relative (RFC 3986, section 5). Throws NoAnswer if it cannot be used. Pure.
Address redirected(const Address& from, const std::string& location);

/// Holds host and port of a proxy; the host is empty if no proxy is used.
struct Proxy {
  std::string host;
  int port = 0;
};

/// Returns the proxy that the environment sets for an address: https_proxy or http_proxy (also in
/// capitals, which small letters override), unless no_proxy names the host, a domain above it, or
/// '*'. A user name and password in the proxy's address are dropped; without a port it is 80.
/// Throws knead::Error if its port is not possible. Reads the environment at each call.
Proxy proxy_for(const Address& address);

}  // namespace knead::web
