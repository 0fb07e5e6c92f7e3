#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "runner/board/server/board.h"

namespace knead::board {

/// Answers browsers on this machine. It listens at 127.0.0.1 only, lets requests through its Gate,
/// and tells pages what has changed as server-sent events. All work is done on the thread of run();
/// connections are bounded in number, in the size of what they send and in time, so that a slow or
/// hostile client keeps nobody else waiting.
class Server {
 public:
  static constexpr int kMostConnections = 64;
  /// Of these, so many may wait for events.
  static constexpr int kMostStreams = 24;

  /// Begins to listen; port 0 is any that is free. Borrows the board. Throws knead::Error if the
  /// port is taken.
  Server(Board& board, std::uint16_t port);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::uint16_t port() const;
  /// Returns the address of the first page, with the token that is new with each server.
  std::string address() const;

  /// Serves until SIGINT or SIGTERM.
  void run();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace knead::board
