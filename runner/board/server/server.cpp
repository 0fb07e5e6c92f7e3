#include "runner/board/server/server.h"

#include <chrono>
#include <csignal>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "runner/board/server/connection.h"
#include "runner/files/folders.h"
#include "schema/document/error.h"

namespace knead::board {
namespace {

/// How soon a page learns of a change. A look asks the system what has changed, and no file.
constexpr std::chrono::milliseconds kBetweenLooks{200};
/// Every so many looks pages are asked whether they are still there.
constexpr int kLooksPerPing = 75;

using Listener = asio::ip::tcp::acceptor;

Listener listen_at(asio::io_context& loop, std::uint16_t port) {
  const asio::ip::tcp::endpoint place(asio::ip::address_v4::loopback(), port);
  error_code failure;
  Listener listener(loop);
  listener.open(place.protocol(), failure);
  // After a board has ended, its port can be taken again at once.
  if (!failure) listener.set_option(Listener::reuse_address(true), failure);
  if (!failure) listener.bind(place, failure);
  if (!failure) listener.listen(Listener::max_listen_connections, failure);
  if (!failure) return listener;
  throw Error(fmt::format("cannot listen at 127.0.0.1:{}: {}", port, failure.message()),
              "leave --port out, and the board takes a port that is free", Exit::not_usable);
}

}  // namespace

struct Server::State {
  State(Board& shown, std::uint16_t port)
      : listener(listen_at(loop, port)),
        service{shown, Gate(files::random_name(), listener.local_endpoint().port()),
                [this](const std::shared_ptr<EventStream>& stream) { return add(stream); }} {}

  void accept() {
    listener.async_accept([this](error_code failure, asio::ip::tcp::socket socket) {
      if (!failure && connections < kMostConnections) {
        ++connections;
        std::make_shared<Connection>(std::move(socket), service, [this] {
          --connections;
        })->start();
      }
      // Without a pause, a process that has no descriptors left would try for ever.
      if (failure) {
        pause.expires_after(kBetweenLooks);
        pause.async_wait([this](error_code) { accept(); });
      } else {
        accept();
      }
    });
  }

  bool add(const std::shared_ptr<EventStream>& stream) {
    std::erase_if(streams, [](const auto& each) { return !each->is_open(); });
    if (streams.size() >= kMostStreams) return false;
    streams.push_back(stream);
    if (streams.size() == 1 && !is_looking) look_later();
    return true;
  }

  void look_later() {
    is_looking = true;
    looks.expires_after(kBetweenLooks);
    looks.async_wait([this](error_code failure) {
      if (!failure) look();
    });
  }

  /// Tells each page what has changed. Nobody looks while no page is open.
  void look() {
    std::erase_if(streams, [](const auto& each) { return !each->is_open(); });
    is_looking = !streams.empty();
    if (!is_looking) return;
    std::map<std::string, std::set<std::string>> changed;  // by folder
    for (const auto& stream : streams) {
      const auto [found, is_new] = changed.try_emplace(stream->folder());
      if (is_new) found->second = changes_in(stream->folder());
      if (!found->second.empty()) stream->tell(found->second);
      if (count % kLooksPerPing == 0) stream->ping();
    }
    ++count;
    look_later();
  }

  std::set<std::string> changes_in(const std::string& folder) {
    try {
      return service.board.take_changes(folder);
    } catch (const Error&) {
      return {};  // the folder is gone, as its page learns when it is read anew
    }
  }

  asio::io_context loop{1};
  Listener listener;
  Service service;
  int connections = 0;
  std::vector<std::shared_ptr<EventStream>> streams;
  bool is_looking = false;
  int count = 1;
  asio::steady_timer looks{loop};
  asio::steady_timer pause{loop};
};

Server::Server(Board& board, std::uint16_t port) : state_(std::make_unique<State>(board, port)) {}
Server::~Server() = default;

std::uint16_t Server::port() const { return state_->listener.local_endpoint().port(); }

std::string Server::address() const {
  return fmt::format("http://127.0.0.1:{}/{}/", port(), state_->service.gate.token());
}

void Server::run() {
  asio::signal_set signals(state_->loop, SIGINT, SIGTERM);
  signals.async_wait([this](error_code, int) { state_->loop.stop(); });
  state_->accept();
  state_->loop.run();
}

}  // namespace knead::board
