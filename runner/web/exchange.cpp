#include "runner/web/exchange.h"

#include <condition_variable>
#include <fstream>
#include <mutex>
#include <thread>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fmt/format.h>
#include <httplib.h>

#include "runner/web/client.h"
#include "runner/web/received_bytes.h"
#include "schema/document/error.h"

namespace knead::web {
namespace {

using Clock = std::chrono::steady_clock;

/// Bounds how much more than the limit a server can make this process read.
constexpr std::chrono::milliseconds kGlance{20};

constexpr const char* kTooLate = "the server does not answer in time";

}  // namespace

/// Ends an exchange that exceeds a limit, from a thread of its own. cpp-httplib bounds the time
/// between two bytes only, and neither the number nor the length of the lines of a head.
struct Exchange::Watch {
  Watch(const Address& address, std::vector<std::pair<std::string, std::string>> own, Limits bounds)
      : client(client_for(address, bounds.connect, bounds.whole + std::chrono::seconds(1))),
        headers(own.begin(), own.end()),
        limits(bounds) {
    client.set_follow_location(false);
    // A packed answer could become a thousand times as large.
    client.set_decompress(false);
    headers.emplace("Accept-Encoding", "identity");
    headers.emplace("User-Agent", "knead");
    client.set_keep_alive(true);
    client.set_tcp_nodelay(true);
    client.set_socket_options([this](int fresh) { opened(fresh); });
    thread = std::thread([this] { look(); });
  }

  ~Watch() {
    {
      const std::lock_guard lock(mutex);
      is_over = true;
      changed.notify_all();
    }
    thread.join();
    if (socket >= 0) ::close(socket);
  }

  /// Keeps a descriptor of its own: cpp-httplib may close its one while the watch shuts it down.
  void opened(int fresh) {
    const std::lock_guard lock(mutex);
    if (socket >= 0) ::close(socket);
    socket = ::fcntl(fresh, F_DUPFD_CLOEXEC, 0);
    read_before = 0;
    if (is_stopped) ::shutdown(socket, SHUT_RDWR);
  }

  /// Throws knead::Error after stop().
  void begin() {
    const std::lock_guard lock(mutex);
    if (is_stopped) throw Error(kTooLate);
    began = Clock::now();
    is_at_work = true;
    why.clear();
    read_before = socket >= 0 ? received_bytes(socket) : 0;
    changed.notify_all();
  }

  std::string end() {
    const std::lock_guard lock(mutex);
    is_at_work = false;
    return why;
  }

  void look() {
    std::unique_lock lock(mutex);
    while (!is_over) {
      if (is_at_work && why.empty()) check();
      if (is_at_work) {
        changed.wait_for(lock, kGlance);
      } else {
        changed.wait(lock);
      }
    }
  }

  void check() {
    if (Clock::now() - began > limits.whole) {
      cut(fmt::format("the server takes more than {} s",
                      std::chrono::duration_cast<std::chrono::seconds>(limits.whole).count()));
    } else if (socket >= 0 && received_bytes(socket) - read_before > limits.answer) {
      cut("the server's answer is too long");
    }
  }

  void cut(std::string reason) {
    why = std::move(reason);
    if (socket >= 0) ::shutdown(socket, SHUT_RDWR);
  }

  httplib::Client client;
  httplib::Headers headers;
  std::mutex mutex;
  std::condition_variable changed;
  Limits limits;
  int socket = -1;
  std::uint64_t read_before = 0;  // by the connection, before this exchange
  Clock::time_point began;
  std::string why;  // the exchange was cut off
  bool is_at_work = false;
  bool is_stopped = false;
  bool is_over = false;
  std::thread thread;
};

namespace {

httplib::Result get_answer(httplib::Client& client, const httplib::Headers& headers,
                           const Request& request) {
  if (request.method == "GET") return client.Get(request.path, headers);
  if (request.file.empty()) {
    return request.method == "POST" ? client.Post(request.path, headers, request.body, request.type)
                                    : client.Put(request.path, headers, request.body, request.type);
  }
  std::ifstream file(request.file, std::ios::binary);
  std::error_code failure;
  const std::uintmax_t size = std::filesystem::file_size(request.file, failure);
  if (!file || failure) throw Error(fmt::format("{} cannot be read", request.file.string()));
  std::string block(1 << 16, '\0');
  const auto give = [&](std::size_t, std::size_t left, httplib::DataSink& sink) {
    file.read(block.data(), static_cast<std::streamsize>(std::min(left, block.size())));
    return file.gcount() > 0 && sink.write(block.data(), static_cast<std::size_t>(file.gcount()));
  };
  return client.Put(request.path, headers, size, give, request.type);
}

}  // namespace

Exchange::Exchange(const Address& address, std::vector<std::pair<std::string, std::string>> headers,
                   Limits limits)
    : watch_(std::make_unique<Watch>(address, std::move(headers), limits)) {}

Exchange::~Exchange() = default;

void Exchange::limit_time(std::chrono::milliseconds whole) {
  const std::lock_guard lock(watch_->mutex);
  watch_->limits.whole = whole;
}

Answer Exchange::send(const Request& request) {
  watch_->begin();
  httplib::Result result = get_answer(watch_->client, watch_->headers, request);
  const std::string why = watch_->end();
  if (!why.empty()) {
    watch_->client.stop();
    throw Error(why);
  }
  if (!result) throw Error(in_words(result.error()));
  return {result->status, std::move(result->body)};
}

void Exchange::stop() {
  const std::lock_guard lock(watch_->mutex);
  watch_->is_stopped = true;
  watch_->cut(kTooLate);
}

}  // namespace knead::web
