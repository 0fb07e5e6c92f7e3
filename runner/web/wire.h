#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "runner/web/address.h"
#include "runner/web/sockets.h"

namespace knead::web {

/// Carries bytes to a server and from it: TCP, and TLS on it where it is asked for. All work ends
/// within the time of give_up_at(). Functions throw NoAnswer. Used by one thread, but for stop()
/// and give_up_at().
class Wire {
 public:
  using Clock = std::chrono::steady_clock;

  /// Takes the end of an asynchronous operation.
  struct Ended {
    std::optional<error_code>& code;
    std::size_t& count;

    void operator()(error_code end, std::size_t bytes = 0) const {
      count = bytes;
      code = end;
    }
  };

  void give_up_at(Clock::time_point when, std::string why);
  void stop(std::string why);

  /// Connects with a port of a host, within `most`.
  void connect(const std::string& host, int port, std::chrono::milliseconds most);

  /// Takes over a socket that is connected.
  void take(int socket);

  /// Begins TLS with a host, whose certificate is verified.
  void begin_tls(const std::string& host);

  /// Returns whether the server has neither closed the connection nor sent anything unasked.
  bool is_idle();

  void close();
  void send(std::string_view bytes);

  /// Runs an operation on the stream to its end: `start(stream, ended)`. Returns its number of
  /// bytes. `failure` takes an error of the stream, which otherwise throws.
  template <class Start>
  std::size_t run(const Start& start, error_code* failure = nullptr) {
    return wait([&](Ended ended) { secure_ ? start(*secure_, ended) : start(socket_, ended); },
                failure);
  }

 private:
  /// Bounds how late the end of the time, or a stop() from another thread, is seen.
  static constexpr std::chrono::milliseconds kGlance{20};

  template <class Start>
  std::size_t wait(const Start& start, error_code* failure) {
    expect_time();
    std::optional<error_code> code;
    std::size_t count = 0;
    std::string over;
    start(Ended{code, count});
    context_.restart();
    while (!code) {
      context_.run_one_for(kGlance);
      if (code || !over.empty()) continue;
      over = why_over();
      if (!over.empty()) cancel();
    }
    if (!over.empty()) throw NoAnswer(over);
    if (failure) *failure = *code;
    if (!failure && *code) throw NoAnswer("the connection broke off");
    return count;
  }

  /// Returns why the work is over; empty if it is not.
  std::string why_over() const;
  void expect_time() const;
  void cancel();

  asio::io_context context_;
  asio::ip::tcp::resolver resolver_{context_};
  asio::ip::tcp::socket socket_{context_};
  std::optional<asio::ssl::context> tls_;
  std::optional<asio::ssl::stream<asio::ip::tcp::socket&>> secure_;
  Clock::time_point connect_until_ = Clock::time_point::max();

  mutable std::mutex mutex_;
  Clock::time_point deadline_ = Clock::time_point::max();
  std::string why_late_;
  std::string stopped_;
};

}  // namespace knead::web
