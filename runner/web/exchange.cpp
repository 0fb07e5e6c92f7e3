#include "runner/web/exchange.h"

#include <fmt/format.h>

namespace knead::web {

Exchange::Exchange(const Address& address, Headers headers, Limits limits)
    : connection_(address, limits.connect), headers_(std::move(headers)), limits_(limits) {}

void Exchange::set_end() {
  connection_.give_up_at(
      began_ + limits_.whole,
      fmt::format("the server takes more than {} s",
                  std::chrono::duration_cast<std::chrono::seconds>(limits_.whole).count()));
}

void Exchange::limit_time(std::chrono::milliseconds whole) {
  const std::lock_guard lock(mutex_);
  limits_.whole = whole;
  set_end();
}

Answer Exchange::send(const Request& request) {
  {
    const std::lock_guard lock(mutex_);
    began_ = Connection::Clock::now();
    set_end();
  }
  try {
    const Head head = connection_.ask(request, headers_);
    return {head.status, read_body()};
  } catch (const NoAnswer&) {
    connection_.close();  // what may still come is no answer to the next request
    throw;
  }
}

std::string Exchange::read_body() {
  std::string body;
  std::string block(1 << 16, '\0');
  while (const std::size_t count = connection_.read(block.data(), block.size())) {
    body.append(block, 0, count);
    if (body.size() > limits_.answer ||
        connection_.received() > 2 * limits_.answer + kMostHeadBytes)
      throw NoAnswer("the server's answer is too long");
  }
  return body;
}

void Exchange::stop() { connection_.stop("the server does not answer in time"); }

}  // namespace knead::web
