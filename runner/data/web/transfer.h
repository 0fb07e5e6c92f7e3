#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "runner/data/web/cache.h"
#include "runner/data/web/partial_file.h"
#include "runner/data/web/progress.h"
#include "runner/web/connection.h"

namespace knead::data {

/// Fetches a file in attempts, each of which requests the bytes that the partial file lacks. A
/// server that is slow, wrong or hostile ends it: there are at most five attempts in a row without
/// progress, the time without progress is bounded, and so is how often it begins again with the
/// first byte. A file has at most the size that the server says first and that the disk has room
/// for, or 500 MB if it says none.
class Transfer {
 public:
  /// References must live as long as this.
  Transfer(const std::string& url, PartialFile& partial, const Say& say);

  /// Returns when the partial file is as long as the server's. Throws knead::Error, with the URL
  /// and the last problem, if that fails, and as PartialFile does.
  void receive_all();

 private:
  /// Describes the end of an attempt.
  struct Outcome {
    bool is_whole = false;
    bool can_be_tried_again = true;
    bool has_begun = false;  // with bytes of the file
    std::string problem{};
  };

  Outcome attempt();
  web::Head ask(web::Connection& connection, const web::Address& address);
  Outcome receive(const web::Head& head, web::Connection& connection);
  /// Returns whether an answer goes on where the partial file ends, and is of the same file.
  bool continues(const web::Head& head);
  void announce(const web::Head& head);
  void add_body(web::Connection& connection);
  void limit(web::Connection& connection);
  void start_over();
  [[noreturn]] void refuse(const std::string& problem) const;

  const std::string& url_;
  PartialFile& partial_;
  const Say& say_;
  Progress progress_;
  std::optional<std::uint64_t> size_;  // of the whole file, as the server said it
  std::optional<Progress::Clock::time_point> announced_;
  int restarts_ = 0;
  bool has_begun_ = false;  // the present attempt
};

}  // namespace knead::data
