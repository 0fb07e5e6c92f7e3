#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "runner/board/server/board.h"
#include "runner/board/server/event_stream.h"
#include "runner/board/server/gate.h"
#include "runner/board/server/sockets.h"

namespace knead::board {

/// Holds the objects that all connections share.
struct Service {
  Board& board;
  Gate gate;
  /// Takes a page that waits for events; returns false if there are too many.
  std::function<bool(const std::shared_ptr<EventStream>&)> add_stream;
};

/// Answers the requests of one connection, one after the other. A request has kPatience to arrive
/// and its answer as long to be taken, each as a whole: who sends a byte now and then is
/// disconnected.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  static constexpr std::chrono::seconds kPatience{15};
  /// Limits the line and the headers of a request. There are no bodies.
  static constexpr std::uint32_t kMostBytes = 8 << 10;

  /// `ended` is called once nothing is held any more.
  Connection(asio::ip::tcp::socket socket, Service& service, std::function<void()> ended);
  ~Connection();

  void start() { read(); }

 private:
  using Request = http::request<http::empty_body>;

  void read();
  void answer();
  void answer_with(const Answer& answer);
  void begin_stream(const Target& target);
  Request const& request() const { return parser_->get(); }

  beast::tcp_stream stream_;
  Service& service_;
  std::function<void()> ended_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::empty_body>> parser_;
  http::response<http::string_body> response_;
  std::optional<http::response_serializer<http::string_body>> serializer_;
};

}  // namespace knead::board
