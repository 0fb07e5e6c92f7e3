#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "runner/web/address.h"

namespace knead::web {

/// Holds a request. The content is `body`, or that of a file if one is named.
struct Request {
  std::string method;  // "GET", "POST" or "PUT"
  std::string path;    // with the query, as it stands behind the host
  std::string body{};
  std::string type = "application/json";
  std::filesystem::path file{};
};

/// Holds an answer, of any status.
struct Answer {
  int status = 0;
  std::string body;
};

/// Sends requests to a server that may be slow, wrong or hostile: each exchange ends within a
/// bounded time and in bounded memory, whatever the server sends. Follows no redirect, so that no
/// header with a secret goes elsewhere. Used by one thread, but for stop().
class Exchange {
 public:
  /// Bounds an exchange.
  struct Limits {
    std::chrono::milliseconds connect{5'000};
    std::chrono::milliseconds whole{20'000};  // from the beginning to the last byte
    std::size_t answer = 4 << 20;             // bytes of head and body
  };

  /// Connects at the first request. `headers` go with each request, and may hold secrets.
  Exchange(const Address& address, std::vector<std::pair<std::string, std::string>> headers,
           Limits limits);
  ~Exchange();
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

  /// Changes how long each exchange may take from now on, the present one included. Any thread.
  void limit_time(std::chrono::milliseconds whole);

  /// Sends a request and returns the answer. Throws knead::Error, whose message is a clause without
  /// the address, if there is none within the limits. The calling thread must not take SIGPIPE.
  Answer send(const Request& request);

  /// Ends the present exchange, and fails all later ones. Any thread.
  void stop();

 private:
  struct Watch;

  std::unique_ptr<Watch> watch_;
};

}  // namespace knead::web
