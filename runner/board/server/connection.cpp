#include "runner/board/server/connection.h"

#include <sstream>
#include <utility>

#include "runner/board/server/board_page.h"

namespace knead::board {
namespace {

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

/// Returns the only value of a header; std::nullopt if there is none, or more than one.
template <class Request>
std::optional<std::string_view> only(const Request& request, http::field field) {
  const auto [first, last] = request.equal_range(field);
  if (first == last || std::next(first) != last) return std::nullopt;
  return view(first->value());
}

/// Sets the headers that all answers have.
template <class Body>
void set_headers(http::response<Body>& response) {
  response.set(http::field::cache_control, "no-store");
  response.set("Content-Security-Policy", board_policy());
  response.set("Cross-Origin-Opener-Policy", "same-origin");
  response.set("Cross-Origin-Resource-Policy", "same-origin");
  response.set("Referrer-Policy", "no-referrer");
  response.set("X-Content-Type-Options", "nosniff");
  response.set("X-Frame-Options", "DENY");
}

std::string_view reason(int status) {
  switch (status) {
    case 403: return "this address is not that of the board";
    case 405: return "the board only shows: GET and HEAD";
    default: return "open the address that knead board printed";
  }
}

}  // namespace

Connection::Connection(asio::ip::tcp::socket socket, Service& service, std::function<void()> ended)
    : stream_(std::move(socket)), service_(service), ended_(std::move(ended)) {}

Connection::~Connection() { ended_(); }

void Connection::read() {
  parser_.emplace();
  parser_->header_limit(kMostBytes);
  stream_.expires_after(kPatience);
  http::async_read(stream_, buffer_, *parser_,
                   [self = shared_from_this()](error_code failure, std::size_t) {
                     // A request that is none, is too long or has a body is not answered.
                     if (!failure) self->answer();
                   });
}

void Connection::answer() {
  auto origin = only(request(), http::field::origin);
  if (!origin && request().count(http::field::origin) > 0) origin = "";
  const std::string_view sent = view(request().target());
  const int refusal = service_.gate.refusal({.method = view(request().method_string()),
                                             .target = sent,
                                             .host = only(request(), http::field::host),
                                             .origin = origin});
  if (refusal != 0) return answer_with(sentence(refusal, reason(refusal)));
  const auto target = target_in(service_.gate.below_token(sent));
  if (!target) return answer_with(sentence(400, "this address cannot be read"));
  if (target->path == "/events") return begin_stream(*target);
  answer_with(service_.board.answer(*target));
}

void Connection::answer_with(const Answer& answer) {
  response_ = {};
  response_.version(request().version());
  response_.result(static_cast<unsigned>(answer.status));
  response_.set(http::field::content_type, answer.type);
  if (answer.status == 405) response_.set(http::field::allow, "GET, HEAD");
  set_headers(response_);
  const bool is_kept = request().keep_alive() && answer.status < 400;
  response_.keep_alive(is_kept);
  response_.content_length(answer.body.size());
  const bool is_head = request().method() == http::verb::head;
  if (!is_head) response_.body() = answer.body;
  serializer_.emplace(response_);
  stream_.expires_after(kPatience);
  http::async_write(
      stream_, *serializer_, [self = shared_from_this(), is_kept](error_code failure, std::size_t) {
        if (failure) return;
        if (is_kept) return self->read();
        error_code ignored;
        self->stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
      });
}

void Connection::begin_stream(const Target& target) {
  const std::string folder = target.parameter("folder");
  if (request().method() != http::verb::get || !service_.board.follow(folder))
    return answer_with(sentence(404, "there is no such folder"));
  http::response<http::empty_body> response(http::status::ok, 11);
  response.set(http::field::content_type, "text/event-stream");
  response.set(http::field::connection, "close");
  set_headers(response);
  std::ostringstream header;
  header << response.base();
  stream_.expires_never();
  const auto events = std::make_shared<EventStream>(std::move(stream_), folder);
  if (service_.add_stream(events)) events->start(std::move(header).str());
}

}  // namespace knead::board
