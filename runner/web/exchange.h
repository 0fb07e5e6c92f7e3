#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>

#include "runner/web/connection.h"

namespace knead::web {

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
    std::size_t answer = 4 << 20;             // bytes of the body
  };

  /// Connects at the first request. `headers` go with each request, and may hold secrets.
  Exchange(const Address& address, Headers headers, Limits limits);

  /// Changes how long each exchange may take from now on, the present one included. Any thread.
  void limit_time(std::chrono::milliseconds whole);

  /// Sends a request and returns the answer. Throws NoAnswer if there is none within the limits.
  /// The calling thread must not take SIGPIPE.
  Answer send(const Request& request);

  /// Ends the present exchange, and fails all later ones. Any thread.
  void stop();

 private:
  /// Tells the connection when the present exchange is over. The caller holds the mutex.
  void set_end();
  std::string read_body();

  Connection connection_;
  const Headers headers_;
  std::mutex mutex_;
  Limits limits_;
  Connection::Clock::time_point began_;
};

}  // namespace knead::web
