#include "runner/data/web/transfer.h"

#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "schema/document/byte_words.h"
#include "schema/document/error.h"

namespace knead::data {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr int kTries = 5;         // attempts in a row without progress
constexpr int kMostRestarts = 3;  // with the first byte
constexpr int kMostRedirects = 10;
constexpr milliseconds kMostConnect{20'000};
constexpr seconds kBetweenMessages{5};
/// Bounds a file whose size the server does not say, as that of an archive that it packs on
/// request.
constexpr std::uint64_t kMostUndeclared = 500'000'000;

constexpr const char* kOtherFile = "the server has another file than before";

}  // namespace

Transfer::Transfer(const std::string& url, PartialFile& partial, const Say& say)
    : url_(url), partial_(partial), say_(say), progress_(patience()) {}

void Transfer::receive_all() {
  int tries = 0;
  for (;;) {
    const std::uint64_t marks = progress_.marks();
    const Outcome outcome = attempt();
    if (outcome.is_whole) return;
    tries = progress_.marks() > marks ? 1 : tries + 1;
    if (!outcome.can_be_tried_again || tries >= kTries || progress_.is_over())
      refuse(outcome.problem);
    // The bytes received so far may be the cause.
    if (tries == kTries - 1 && outcome.has_begun) start_over();
    // Waits 0.2 to 1.6 seconds, twice as long after each failure, so that a busy server recovers.
    std::this_thread::sleep_for(milliseconds(100 << tries));
  }
}

void Transfer::refuse(const std::string& problem) const {
  throw Error(fmt::format("{} cannot be fetched: {}", url_, problem),
              "try it again, or fetch the file yourself and name it by 'path'; behind a proxy, "
              "https_proxy says which");
}

void Transfer::start_over() {
  size_.reset();
  if (partial_.size() == 0) return;
  if (++restarts_ > kMostRestarts) refuse("the server has another file each time");
  partial_.start_over();
}

Transfer::Outcome Transfer::attempt() {
  has_begun_ = false;
  web::Address address = web::parse_address(url_);
  try {
    for (int redirects = 0; redirects <= kMostRedirects; ++redirects) {
      web::Connection connection(address, std::min(kMostConnect, progress_.silence()));
      const web::Head head = ask(connection, address);
      const bool leads_on = head.status >= 300 && head.status < 400 && !head.location.empty();
      if (!leads_on) return receive(head, connection);
      address = web::redirected(address, head.location);
    }
  } catch (const web::NoAnswer& reason) {
    return {.has_begun = has_begun_, .problem = reason.what()};
  }
  return {.can_be_tried_again = false, .problem = "it leads from one address to another for ever"};
}

web::Head Transfer::ask(web::Connection& connection, const web::Address& address) {
  limit(connection);
  web::Headers headers;
  if (partial_.size() > 0) headers.emplace_back("Range", fmt::format("bytes={}-", partial_.size()));
  return connection.ask({.method = "GET", .path = address.path}, headers);
}

void Transfer::limit(web::Connection& connection) {
  const auto until = progress_.end_of_silence();
  const auto in_seconds = [](milliseconds time) { return static_cast<double>(time.count()) / 1e3; };
  connection.give_up_at(
      until,
      until < progress_.end()
          ? fmt::format("the server sends nothing for {:.3g} s", in_seconds(progress_.silence()))
          : fmt::format("less than 64 kB came in {:.3g} s", in_seconds(patience())));
}

Transfer::Outcome Transfer::receive(const web::Head& head, web::Connection& connection) {
  if (head.status == 416) {  // the range begins beyond the end of the served file
    start_over();
    return {.problem = kOtherFile};
  }
  if (head.status != 200 && head.status != 206) {
    // A timeout, too many requests or a fault of the server may pass; other failures will not.
    const bool may_pass = head.status == 408 || head.status == 429 || head.status >= 500;
    return {.can_be_tried_again = may_pass,
            .problem = fmt::format("the server says {} {}", head.status, head.reason)};
  }
  has_begun_ = true;
  if (head.status == 200) start_over();  // the server ignored the range and sends the whole file
  if (!continues(head)) {
    start_over();
    return {.problem = kOtherFile};
  }
  announce(head);
  add_body(connection);
  return {.is_whole = true};
}

bool Transfer::continues(const web::Head& head) {
  if (head.status == 206 && head.offset != partial_.size()) return false;
  if (!head.length) return true;
  const std::uint64_t size = partial_.size() + *head.length;
  if (size < *head.length || (size_ && *size_ != size)) return false;
  size_ = size;
  partial_.expect_room(size);
  return true;
}

void Transfer::announce(const web::Head& head) {
  const auto now = Progress::Clock::now();
  if (announced_ && now - *announced_ < kBetweenMessages) return;
  announced_ = now;
  const std::string size =
      head.length.value_or(0) > 0
          ? fmt::format(" ({})", schema::byte_words(static_cast<double>(*head.length)))
          : "";
  say_(fmt::format("fetching {}{}{}", partial_.size() > 0 ? "the rest of " : "", url_, size));
}

void Transfer::add_body(web::Connection& connection) {
  std::string block(1 << 16, '\0');
  while (const std::size_t count = connection.read(block.data(), block.size())) {
    partial_.add(block.data(), count);
    progress_.add(count);
    limit(connection);
    if (size_ || partial_.size() <= kMostUndeclared) continue;
    partial_.start_over();  // nobody wants the bytes
    refuse(fmt::format("the server does not say how long the file is, and sends more than {}",
                       schema::byte_words(static_cast<double>(kMostUndeclared))));
  }
}

}  // namespace knead::data
