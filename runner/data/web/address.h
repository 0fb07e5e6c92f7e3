#pragma once

#include <string>

namespace knead::data {

/// Holds the parts of a URL that a connection needs.
struct Address {
  std::string scheme;  // "https" or "http"
  std::string host;    // with the port if the URL has one: "example.org:8080"
  std::string path;    // with the query; at least "/"
  std::string name;    // last part of the path; "file" if that is empty or hidden

  std::string origin() const { return scheme + "://" + host; }
};

/// Splits a URL. Throws knead::Error if it is not an http or https URL.
Address parse_address(const std::string& url);

/// Holds host and port of a proxy; the host is empty if no proxy is used.
struct Proxy {
  std::string host;
  int port = 0;
};

/// Returns the proxy that the environment sets for an address: https_proxy or http_proxy (also in
/// capitals), unless no_proxy names the host, a domain above it, or '*'.
Proxy proxy_for(const Address& address);

}  // namespace knead::data
