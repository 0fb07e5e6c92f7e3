#pragma once

#include <memory>
#include <set>
#include <string>

#include "runner/board/server/sockets.h"

namespace knead::board {

/// A page that waits for events: text/event-stream (the HTML standard, section 9.2). What changes
/// while a write goes on is one event after it, so that a slow page needs no memory; one that takes
/// nothing for kPatience is disconnected.
class EventStream : public std::enable_shared_from_this<EventStream> {
 public:
  static constexpr std::chrono::seconds kPatience{20};

  /// `folder` is the one whose runs the page shows.
  EventStream(beast::tcp_stream stream, std::string folder);

  /// Sends `header`, that of the answer, and begins to wait for the end of the connection.
  void start(std::string header);

  const std::string& folder() const { return folder_; }
  bool is_open() const { return is_open_; }

  /// Sends the event "changed" with the names of runs as a list.
  void tell(const std::set<std::string>& runs);
  /// Sends a comment, which shows whether the page is still there.
  void ping();

 private:
  void write_next();
  void wait_for_end();

  beast::tcp_stream stream_;
  std::string folder_;
  std::string writing_;
  std::string header_;
  std::set<std::string> waiting_;  // runs that the next event names
  bool is_pinged_ = false;
  bool is_writing_ = false;
  bool is_open_ = true;
  char ignored_[64];  // what the page sends, which is nothing
};

}  // namespace knead::board
