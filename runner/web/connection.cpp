#include "runner/web/connection.h"

#include <charconv>
#include <fstream>
#include <limits>
#include <sstream>

#include <fmt/format.h>

#include "runner/web/wire.h"
#include "schema/document/error.h"

namespace knead::web {
namespace {

using Ended = Wire::Ended;

/// Bounds what is read ahead of the parser: a line of the head, or of a chunk, is not longer.
constexpr std::size_t kMostBuffered = 1 << 16;

/// Bounds how many answers "100 Continue" a server may send before the real one.
constexpr int kMostInterim = 10;

constexpr const char* kBroken = "the connection broke off";

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || text.empty()) return std::nullopt;
  return value;
}

/// Returns the first byte of "bytes 100-199/200".
std::optional<std::uint64_t> first_byte(std::string_view range) {
  constexpr std::string_view kUnit = "bytes ";
  if (!range.starts_with(kUnit)) return std::nullopt;
  range.remove_prefix(kUnit.size());
  return number(range.substr(0, range.find('-')));
}

std::string text_of(boost::beast::string_view view) { return {view.data(), view.size()}; }

/// Says what is wrong with an answer that the parser refuses.
std::string refusal_of(error_code code) {
  using http::error;
  if (code == error::header_limit || code == error::buffer_overflow)
    return fmt::format("the head of the server's answer is longer than {} bytes", kMostHeadBytes);
  if (code == error::end_of_stream || code == error::partial_message) return kBroken;
  if (code.category() == http::make_error_code(error::bad_version).category())
    return "what answers does not speak HTTP";
  return kBroken;
}

}  // namespace

/// The wire, and the answer that is being read from it.
struct Connection::Talk {
  Talk(const Address& to, std::chrono::milliseconds most)
      : address(to), proxy(proxy_for(to)), connect_time(most) {}

  bool is_secure() const { return address.scheme == "https"; }

  void connect() {
    close();
    const bool has_proxy = !proxy.host.empty();
    wire.connect(has_proxy ? proxy.host : host_name(address),
                 has_proxy ? proxy.port : port_of(address), connect_time);
    if (!is_secure()) return;
    if (has_proxy) open_tunnel();
    wire.begin_tls(host_name(address));
  }

  void close() {
    wire.close();
    buffer.clear();
    is_reusable = false;
  }

  /// Asks a proxy for a connection to the server, which then carries TLS.
  void open_tunnel() {
    const std::string place = fmt::format("{}:{}", host_name(address), port_of(address));
    wire.send(fmt::format("CONNECT {0} HTTP/1.1\r\nHost: {0}\r\nUser-Agent: knead\r\n\r\n", place));
    http::response_parser<http::empty_body> tunnel;
    tunnel.header_limit(kMostHeadBytes);
    tunnel.skip(true);
    read_head(tunnel);
    if (tunnel.get().result_int() != 200)
      throw NoAnswer(fmt::format("the proxy says {} {}", tunnel.get().result_int(),
                                 text_of(tunnel.get().reason())));
    buffer.clear();
  }

  // --- sending ---------------------------------------------------------------------------------

  std::string head_of(const Request& request, const Headers& headers, std::uint64_t size) const {
    const bool is_absolute = !proxy.host.empty() && !is_secure();
    http::request<http::empty_body> head;
    head.method_string(request.method);
    head.target((is_absolute ? address.origin() : "") + encoded_target(request.path));
    head.set(http::field::host, address.host);
    head.set(http::field::user_agent, "knead");
    head.set(http::field::accept, "*/*");
    // A packed answer could become a thousand times as large.
    head.set(http::field::accept_encoding, "identity");
    if (request.method != "GET") {
      head.set(http::field::content_type, request.type);
      head.content_length(size);
    }
    for (const auto& [name, value] : headers) head.set(name, value);
    std::ostringstream text;
    text << head.base();
    return std::move(text).str();
  }

  void send_request(const Request& request, const Headers& headers) {
    if (request.file.empty())
      return wire.send(head_of(request, headers, request.body.size()) + request.body);
    std::ifstream file(request.file, std::ios::binary);
    std::error_code failure;
    std::uint64_t left = std::filesystem::file_size(request.file, failure);
    if (!file || failure) throw NoAnswer(fmt::format("{} cannot be read", request.file.string()));
    wire.send(head_of(request, headers, left));
    std::string block(1 << 16, '\0');
    while (left > 0) {
      file.read(block.data(), static_cast<std::streamsize>(std::min(left, block.size())));
      const auto got = static_cast<std::size_t>(file.gcount());
      if (got == 0) throw NoAnswer(fmt::format("{} became shorter", request.file.string()));
      wire.send(std::string_view(block).substr(0, got));
      left -= got;
    }
  }

  // --- reading ---------------------------------------------------------------------------------

  template <class Parser>
  void read_head(Parser& into) {
    error_code failure;
    const auto start = [&](auto& stream, Ended ended) {
      http::async_read_header(stream, buffer, into, ended);
    };
    received = wire.run(start, &failure);
    if (failure) throw NoAnswer(refusal_of(failure));
  }

  Head read_answer() {
    for (int i = 0; i < kMostInterim; ++i) {
      answer.emplace();
      answer->header_limit(kMostHeadBytes);
      answer->body_limit(std::numeric_limits<std::uint64_t>::max());  // boost::none refuses all
      read_head(*answer);
      if (answer->get().result_int() >= 200) return head();
    }
    throw NoAnswer("what answers does not speak HTTP");
  }

  Head head() const {
    const auto& message = answer->get();
    Head out;
    out.status = static_cast<int>(message.result_int());
    out.reason = text_of(message.reason());
    out.location = text_of(message[http::field::location]);
    out.offset = first_byte(text_of(message[http::field::content_range]));
    if (const auto length = answer->content_length()) out.length = *length;
    return out;
  }

  std::size_t read(char* block, std::size_t size) {
    while (!answer->is_done()) {
      auto& body = answer->get().body();
      body.data = block;
      body.size = size;
      body.more = true;
      error_code failure;
      const auto start = [&](auto& stream, Ended ended) {
        http::async_read_some(stream, buffer, *answer, ended);
      };
      received += wire.run(start, &failure);
      const std::size_t got = size - body.size;
      // Many servers end TLS without saying so; a body whose length is known is complete by then.
      if (failure == asio::ssl::error::stream_truncated && answer->need_eof()) {
        answer->put_eof(failure);
      } else if (failure && failure != http::error::need_buffer) {
        throw NoAnswer(refusal_of(failure));
      }
      if (got > 0) return got;
    }
    is_reusable = answer->keep_alive();
    return 0;
  }

  const Address address;
  const Proxy proxy;
  const std::chrono::milliseconds connect_time;
  Wire wire;
  boost::beast::flat_buffer buffer{kMostBuffered};
  std::optional<http::response_parser<http::buffer_body>> answer;
  std::uint64_t received = 0;
  bool is_reusable = false;
  bool is_fresh = false;  // connected, and not asked yet
};

Connection::Connection(const Address& address, std::chrono::milliseconds connect)
    : talk_(std::make_unique<Talk>(address, connect)) {}

Connection::Connection(const Address& address, int socket)
    : talk_(std::make_unique<Talk>(address, std::chrono::seconds(1))) {
  talk_->wire.take(socket);
  talk_->is_fresh = true;
}

Connection::~Connection() = default;

void Connection::give_up_at(Clock::time_point when, std::string why) {
  talk_->wire.give_up_at(when, std::move(why));
}

void Connection::stop(std::string why) { talk_->wire.stop(std::move(why)); }

Head Connection::ask(const Request& request, const Headers& headers) {
  const bool is_connected = talk_->is_fresh || (talk_->is_reusable && talk_->wire.is_idle());
  if (!is_connected) talk_->connect();
  talk_->is_fresh = talk_->is_reusable = false;
  talk_->send_request(request, headers);
  return talk_->read_answer();
}

std::size_t Connection::read(char* block, std::size_t size) { return talk_->read(block, size); }

std::uint64_t Connection::received() const { return talk_->received; }

void Connection::close() { talk_->close(); }

}  // namespace knead::web
