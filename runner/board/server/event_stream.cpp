#include "runner/board/server/event_stream.h"

#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runner/report/readable_text.h"
#include "schema/document/json_text.h"

namespace knead::board {

EventStream::EventStream(beast::tcp_stream stream, std::string folder)
    : stream_(std::move(stream)), folder_(std::move(folder)) {}

void EventStream::start(std::string header) {
  header_ = std::move(header);
  write_next();
  wait_for_end();
}

void EventStream::tell(const std::set<std::string>& runs) {
  waiting_.insert(runs.begin(), runs.end());
  write_next();
}

void EventStream::ping() {
  is_pinged_ = true;
  write_next();
}

void EventStream::write_next() {
  if (is_writing_ || !is_open_) return;
  writing_ = std::exchange(header_, "");
  if (std::exchange(is_pinged_, false)) writing_ += ":\n\n";
  if (!waiting_.empty()) {
    const nlohmann::ordered_json names = std::exchange(waiting_, {});
    // One line, as the format wants it: JSON has no newlines of its own.
    writing_ += fmt::format("event: changed\ndata: {}\n\n", schema::readable_json_text(names));
  }
  if (writing_.empty()) return;
  is_writing_ = true;
  stream_.expires_after(kPatience);
  asio::async_write(stream_, asio::buffer(writing_),
                    [self = shared_from_this()](error_code failure, std::size_t) {
                      self->is_writing_ = false;
                      self->is_open_ = self->is_open_ && !failure;
                      self->stream_.expires_never();
                      self->write_next();
                    });
}

void EventStream::wait_for_end() {
  stream_.socket().async_read_some(asio::buffer(ignored_),
                                   [self = shared_from_this()](error_code failure, std::size_t) {
                                     if (!failure) return self->wait_for_end();
                                     self->is_open_ = false;
                                     self->stream_.close();
                                   });
}

}  // namespace knead::board
