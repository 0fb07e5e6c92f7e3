#pragma once

#include <string>

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
/// recipe, if it is not an http or https URL or names no host. Pure.
Address parse_address(const std::string& url);

/// Holds host and port of a proxy; the host is empty if no proxy is used.
struct Proxy {
  std::string host;
  int port = 0;
};

/// Returns the proxy that the environment sets for an address: https_proxy or http_proxy (also in
/// capitals, which small letters override), unless no_proxy names the host, a domain above it, or
/// '*'. A user name and password in the proxy's address are dropped; without a port it is 80. Reads
/// the environment at each call.
Proxy proxy_for(const Address& address);

}  // namespace knead::web
