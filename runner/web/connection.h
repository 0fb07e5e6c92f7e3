#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runner/web/address.h"

namespace knead::web {

/// Names and values of headers that go with a request.
using Headers = std::vector<std::pair<std::string, std::string>>;

/// Holds a request. The content is `body`, or that of a file if one is named.
struct Request {
  std::string method;  // "GET", "POST" or "PUT"
  std::string path;    // with the query, as it stands behind the host
  std::string body{};
  std::string type = "application/json";
  std::filesystem::path file{};
};

/// Holds the status line of an answer, and what its headers say of the body.
struct Head {
  int status = 0;
  std::string reason;                   // "Not Found"; text of the server
  std::string location;                 // where a redirect leads; text of the server
  std::optional<std::uint64_t> length;  // bytes of the body
  std::optional<std::uint64_t> offset;  // of a part: its first byte within the file
};

/// Limits the bytes of the status line and the headers of an answer together.
inline constexpr std::size_t kMostHeadBytes = 16'384;

/// Talks HTTP/1.1 with a server, through the proxy that the environment sets for it. Whatever the
/// server sends, memory is bounded; time is bounded by give_up_at(). Functions throw NoAnswer. Used
/// by one thread, but for stop() and give_up_at(). That thread must not take SIGPIPE.
class Connection {
 public:
  using Clock = std::chrono::steady_clock;

  /// Connects at the first request, within `connect`.
  Connection(const Address& address, std::chrono::milliseconds connect);
  /// Takes over a socket that is connected to the server already, for one request.
  Connection(const Address& address, int socket);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Sets when the present and later work is given up, and why, as a clause: "the server does not
  /// answer". Any thread.
  void give_up_at(Clock::time_point when, std::string why);

  /// Ends the present work, and fails all later. Any thread.
  void stop(std::string why);

  /// Sends a request and returns the head of the answer. Connects again if the server has closed
  /// the connection since the last answer.
  Head ask(const Request& request, const Headers& headers);

  /// Reads more of the body. Returns the number of bytes, 0 at the end of the body. Throws if the
  /// body is shorter than the server has said.
  std::size_t read(char* block, std::size_t size);

  /// Returns the bytes that this answer has taken so far, with its head.
  std::uint64_t received() const;

  /// Closes the connection; the next request opens another.
  void close();

 private:
  struct Talk;

  std::unique_ptr<Talk> talk_;
};

}  // namespace knead::web
