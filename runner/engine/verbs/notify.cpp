#include <csignal>
#include <iostream>
#include <iterator>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runner/engine/verbs/call.h"
#include "runner/engine/verbs/verbs.h"
#include "runner/plan/resolve.h"
#include "runner/run/notice.h"
#include "runner/web/exchange.h"
#include "schema/document/error.h"
#include "schema/document/standard_streams.h"
#include "schema/load.h"

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

/// Sends notices, each from a thread of its own: one that is slow does not keep the others. Warns
/// of those that fail.
Exit send_all(const std::vector<run::Notice>& notices) {
  std::vector<std::string> failures(notices.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < notices.size(); ++i)
    threads.emplace_back([&, i] { failures[i] = send(notices[i]); });
  for (std::thread& thread : threads) thread.join();
  Exit end = Exit::done;
  for (const std::string& failure : failures) {
    if (failure.empty()) continue;
    tell(fmt::format("warning: a notice was not sent: {}\n", failure));
    end = Exit::not_usable;
  }
  return end;
}

}  // namespace

Exit notify() {
  std::signal(SIGPIPE, SIG_IGN);  // a server that goes away is an error of a call
  const std::string lines(std::istreambuf_iterator<char>(std::cin), {});
  return send_all(run::notices_in(lines));
}

void tell_end(const Call& call, Exit end) {
  if (!call.tells || call.rank != 0) return;
  std::signal(SIGPIPE, SIG_IGN);
  try {
    schema::Understood understood = schema::load(call.file, call.overrides, schema::this_world());
    plan::resolve(understood.recipe, this_machine());
    const auto folder = *understood.recipe.output / understood.recipe.name;
    send_all(run::notices_of(understood.recipe, run::ending_of_run(folder, end)));
  } catch (const std::exception& error) {  // InvalidRecipe too: the file was edited meanwhile
    tell(fmt::format("warning: nobody is told of the end: {}\n", error.what()));
  }
}

}  // namespace knead::engine
