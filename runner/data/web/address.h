#pragma once

#include <string>

namespace knead::data {

/// A URL in the parts that a connection needs.
struct Address {
  std::string scheme;  // "https" or "http"
  std::string host;    // with the port, if one is written: "example.org:8080"
  std::string path;    // with the query; at least "/"
  std::string name;    // of the file: the last part of the path; "file" where it ends in '/'

  std::string origin() const { return scheme + "://" + host; }
};

/// Throws knead::Error for what is no http or https URL.
Address parse_address(const std::string& url);

/// A proxy as host and port; the host is empty where there is none for an address.
struct Proxy {
  std::string host;
  int port = 0;
};

/// What the environment says: https_proxy or http_proxy (also in capitals), unless no_proxy names
/// the host, a domain above it, or '*'.
Proxy proxy_for(const Address& address);

}  // namespace knead::data
