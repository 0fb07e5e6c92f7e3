#include "runner/engine/verbs/bench_report.h"

#include <catch2/catch.hpp>  // behind LibTorch, which has a CHECK of its own

namespace knead::engine {
namespace {

TEST_CASE("a benchmark says of hidden sums what its ranks can tell") {
  CHECK(hiding_words({0.264, 0.31}) == "backward hides 26 to 31 % of that");
  CHECK(hiding_words({1.0, 0.996}) == "backward hides 100 % of that");
  CHECK(hiding_words({0.0, 0.0}) == "backward hides 0 % of that");
  CHECK(hiding_words({std::nullopt, 0.31, 0.2}) == "backward hides up to 31 % of that");
  CHECK(hiding_words({std::nullopt, std::nullopt}) == "what backward hides cannot be seen");
}

TEST_CASE("the report of a rank says of hidden sums only what was measured") {
  Bench bench{.steps = {{.reduce = 0.25, .whole = 1, .samples = 1}}, .reduce_alone = 1};
  CHECK(report_of_rank(bench).at("hidden") == 0.75);
  bench.reduce_alone = 0.125;
  CHECK(report_of_rank(bench).at("hidden").is_null());
  bench.reduce_alone = 0;  // a single rank
  CHECK_FALSE(report_of_rank(bench).contains("hidden"));
}

}  // namespace
}  // namespace knead::engine
