#include "runner/web/exchange.h"

#include <atomic>
#include <thread>

#include <httplib.h>
#include <catch2/catch.hpp>

#include "schema/document/error.h"

using namespace knead;
using std::chrono::milliseconds;
using std::chrono::seconds;
using web::Exchange;

namespace {

/// A server on this machine that answers well, or wrongly, or never.
class Server {
 public:
  Server() {
    server_.Post("/echo", [](const httplib::Request& request, httplib::Response& response) {
      response.status = 418;
      response.set_content(request.body + request.get_header_value("Authorization"), "text/plain");
    });
    server_.Get("/moved", [](const httplib::Request&, httplib::Response& response) {
      response.set_redirect("/secret");
    });
    server_.Get("/secret", [this](const httplib::Request&, httplib::Response&) { ++followed; });
    server_.Get("/endless", [](const httplib::Request&, httplib::Response& response) {
      response.set_chunked_content_provider("text/plain", [](std::size_t, httplib::DataSink& sink) {
        return sink.write(std::string(1 << 16, 'x').data(), 1 << 16);
      });
    });
    // A byte now and then, so that no wait for the next one is long.
    server_.Get("/slow", [this](const httplib::Request&, httplib::Response& response) {
      response.set_chunked_content_provider("text/plain",
                                            [this](std::size_t, httplib::DataSink& sink) {
                                              std::this_thread::sleep_for(milliseconds(10));
                                              return !is_closing && sink.write("x", 1);
                                            });
    });
    port_ = server_.bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { server_.listen_after_bind(); });
    while (!server_.is_running()) std::this_thread::yield();
  }
  ~Server() {
    is_closing = true;
    server_.stop();
    thread_.join();
  }

  web::Address address() const {
    return web::parse_address("http://127.0.0.1:" + std::to_string(port_));
  }

  std::atomic<int> followed = 0;
  std::atomic<bool> is_closing = false;

 private:
  httplib::Server server_;
  int port_ = 0;
  std::thread thread_;
};

std::string refusal(Exchange& exchange, const std::string& path) {
  try {
    exchange.send({"GET", path});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("an answer of any status comes with its text, and the headers go with each request") {
  const Server server;
  Exchange exchange(server.address(), {{"Authorization", "Bearer t"}}, {});
  for (int i = 0; i < 2; ++i) {
    const web::Answer answer = exchange.send({"POST", "/echo", "text "});
    CHECK(answer.status == 418);
    CHECK(answer.body == "text Bearer t");
  }
}

TEST_CASE("no redirect is followed") {
  const Server server;
  Exchange exchange(server.address(), {{"Authorization", "Bearer t"}}, {});
  CHECK(exchange.send({"GET", "/moved"}).status == 302);
  CHECK(server.followed == 0);
}

TEST_CASE("an endless answer is cut off, and the next request is answered") {
  const Server server;
  Exchange exchange(server.address(), {}, {.answer = 1 << 20});
  CHECK(refusal(exchange, "/endless") == "the server's answer is too long");
  CHECK(exchange.send({"POST", "/echo", "a"}).body == "a");
}

TEST_CASE("an exchange that takes too long is cut off, although bytes come") {
  const Server server;
  Exchange exchange(server.address(), {}, {.whole = seconds(1)});
  CHECK(refusal(exchange, "/slow") == "the server takes more than 1 s");
}

TEST_CASE("another thread ends an exchange, and later ones fail at once") {
  const Server server;
  Exchange exchange(server.address(), {}, {.whole = seconds(3600)});
  std::thread stopping([&] {
    std::this_thread::sleep_for(milliseconds(50));
    exchange.stop();
  });
  CHECK(!refusal(exchange, "/slow").empty());
  stopping.join();
  CHECK(!refusal(exchange, "/slow").empty());
}

TEST_CASE("where nobody listens, no connection can be made") {
  web::Address address;
  {
    const Server server;
    address = server.address();
  }
  Exchange exchange(address, {}, {});
  CHECK(refusal(exchange, "/echo") == "no connection can be made");
}
