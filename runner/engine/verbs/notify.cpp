#include <csignal>
#include <iostream>
#include <iterator>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runner/engine/verbs/verbs.h"
#include "runner/run/notice.h"
#include "runner/web/exchange.h"
#include "schema/document/error.h"

namespace knead::engine {
namespace {

/// Sends a notice. Returns why that failed, without the address, which is a secret; else nothing.
std::string send(const run::Notice& notice) {
  web::Address address;
  try {
    address = web::parse_address(notice.url);
  } catch (const Error&) {
    return "its url is no https or http address";
  }
  try {
    using std::chrono::seconds;
    web::Exchange exchange(address, {},
                           {.connect = seconds(4), .whole = seconds(5), .answer = 1 << 16});
    const int status =
        exchange.send({.method = "POST", .path = address.path, .body = notice.body}).status;
    return status >= 200 && status < 300 ? "" : fmt::format("the server says {}", status);
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace

Exit notify() {
  std::signal(SIGPIPE, SIG_IGN);  // a server that goes away is an error of a call
  const std::string lines(std::istreambuf_iterator<char>(std::cin), {});
  const std::vector<run::Notice> notices = run::notices_in(lines);
  std::vector<std::string> failures(notices.size());
  std::vector<std::thread> threads;  // one that is slow does not keep the others
  for (std::size_t i = 0; i < notices.size(); ++i)
    threads.emplace_back([&, i] { failures[i] = send(notices[i]); });
  for (std::thread& thread : threads) thread.join();
  Exit end = Exit::done;
  for (std::size_t i = 0; i < failures.size(); ++i) {
    if (failures[i].empty()) continue;
    fmt::print(stderr, "warning: a notice was not sent: {}\n", failures[i]);
    end = Exit::not_usable;
  }
  return end;
}

}  // namespace knead::engine
