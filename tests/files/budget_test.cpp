#include "runner/files/budget.h"

#include <catch2/catch.hpp>

#include "runner/files/bounded_json.h"
#include "schema/document/error.h"

namespace knead::tests {

TEST_CASE("a budget refuses what is beyond it, and takes all that is not") {
  files::Budget budget("the.file", {.memory = 100, .work = 2'000'000, .depth = 3});
  budget.hold(60);
  budget.hold(40);
  CHECK_THROWS_WITH(budget.hold(1),
                    "the.file: what it describes takes more than 100 B of memory to read");
  budget.work(2'000'000);
  CHECK_FALSE(budget.try_work(1));
  CHECK_THROWS_WITH(budget.work(1),
                    "the.file: it takes more than 2 million steps to read, whatever its size");
  budget.allow_work(5);
  CHECK(budget.try_work(5));
  budget.expect_depth(3);
  CHECK_THROWS_WITH(budget.expect_depth(4),
                    "the.file: its values lie more than 3 levels deep in each other");
}

TEST_CASE("JSON is parsed within a budget") {
  const auto parsed = [](const std::string& text, files::Limits limits = {}) {
    files::Budget budget("the.file", limits);
    return files::parse_bounded_json(text, budget);
  };
  CHECK(parsed(R"({"a": [1, "b", null, {"c": 2.5}]})") ==
        nlohmann::json{{"a", {1, "b", nullptr, {{"c", 2.5}}}}});
  CHECK_THROWS_AS(parsed("{"), nlohmann::json::parse_error);
  CHECK(parsed("[[[0]]]", {.depth = 3}).size() == 1);
  CHECK_THROWS_WITH(parsed("[[[[0]]]]", {.depth = 3}),
                    "the.file: its values lie more than 3 levels deep in each other");
  // Nothing behind the limit is looked at, closed or not.
  CHECK_THROWS_AS(parsed(std::string(1'000'000, '[')), Error);
  const std::string beyond = "the.file: what it describes takes more than 1.0 kB of memory to read";
  CHECK_THROWS_WITH(parsed("[" + std::string(100, ' ') +
                               "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,"
                               "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]",
                           {.memory = 1000}),
                    beyond);
  CHECK_THROWS_WITH(parsed("\"" + std::string(1000, 'x') + "\"", {.memory = 1000}), beyond);
  CHECK_THROWS_WITH(parsed("{\"" + std::string(1000, 'x') + "\":0}", {.memory = 1000}), beyond);
}

TEST_CASE("what is packed may unpack to 256 MiB and 64 times its bytes") {
  CHECK(files::most_unpacked(0) == 256 << 20);
  CHECK(files::most_unpacked(1 << 20) == (256 + 64) << 20);
  CHECK(files::most_unpacked(UINT64_MAX) == UINT64_MAX);
}

}  // namespace knead::tests
