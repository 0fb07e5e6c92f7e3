#include "runner/board/server/gate.h"

#include <catch2/catch.hpp>

#include "runner/board/server/target.h"

using namespace knead::board;

namespace {

const Gate& gate() {
  static const Gate gate("0123456789abcdef", 8000);
  return gate;
}

RequestFacts good() {
  return {.method = "GET", .target = "/0123456789abcdef/", .host = "127.0.0.1:8000"};
}

int with_host(std::optional<std::string_view> host) {
  RequestFacts request = good();
  request.host = host;
  return gate().refusal(request);
}

int with_origin(std::string_view origin) {
  RequestFacts request = good();
  request.origin = origin;
  return gate().refusal(request);
}

int with_target(std::string_view target) {
  RequestFacts request = good();
  request.target = target;
  return gate().refusal(request);
}

int with_method(std::string_view method) {
  RequestFacts request = good();
  request.method = method;
  return gate().refusal(request);
}

}  // namespace

TEST_CASE("the board answers to its own address only") {
  CHECK(with_host("127.0.0.1:8000") == 0);
  CHECK(with_host("localhost:8000") == 0);
  for (const char* host :
       {"evil.example", "evil.example:8000", "127.0.0.1", "127.0.0.1:80",
        "127.0.0.1:8000.evil.example", "127.0.0.1:80000", "localhost", "", "[::1]:8000"})
    CHECK(with_host(host) == 403);
  CHECK(with_host(std::nullopt) == 403);
}

TEST_CASE("pages of other origins get no answer") {
  CHECK(with_origin("http://127.0.0.1:8000") == 0);
  CHECK(with_origin("http://localhost:8000") == 0);
  for (const char* origin : {"http://evil.example", "null", "", "https://127.0.0.1:8000",
                             "http://127.0.0.1:8001", "http://127.0.0.1:8000.evil.example"})
    CHECK(with_origin(origin) == 403);
}

TEST_CASE("a target without the whole token does not exist") {
  CHECK(with_target("/0123456789abcdef/run?name=a") == 0);
  for (const char* target : {"/", "", "/0123456789abcdef", "/0123456789abcdee/",
                             "/0123456789abcde/", "/0123456789abcdefg/", "//0123456789abcdef/",
                             "/run", "*", "http://127.0.0.1:8000/0123456789abcdef/"})
    CHECK(with_target(target) == 404);
  CHECK(gate().below_token("/0123456789abcdef/run?name=a") == "/run?name=a");
}

TEST_CASE("nothing can be sent") {
  CHECK(with_method("HEAD") == 0);
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "get", "CONNECT", ""})
    CHECK(with_method(method) == 405);
}

TEST_CASE("targets are read with their parameters") {
  const auto target = target_in("/compare?run=a%20b&run=c+d&x&run=%e2%9c%93");
  REQUIRE(target);
  CHECK(target->path == "/compare");
  CHECK(target->all("run") == std::vector<std::string>{"a b", "c d", "✓"});
  CHECK(target->parameter("x").empty());
  CHECK(target->parameter("missing").empty());
  CHECK(target_in("/")->parameters.empty());
  CHECK(target_in("/run?")->parameters.empty());
  for (const char* wrong : {"/run?name=%", "/run?name=%2", "/run?name=%zz", "/%72un"})
    CHECK(!target_in(wrong));
}

TEST_CASE("any name of a folder survives a link") {
  std::string name;
  for (int byte = 1; byte < 256; ++byte) name += static_cast<char>(byte);
  CHECK(target_in("/run?name=" + encoded(name))->parameter("name") == name);
  CHECK(encoded("search/sweep/0a") == "search/sweep/0a");
  CHECK(encoded("a&b\"<") == "a%26b%22%3C");
}
