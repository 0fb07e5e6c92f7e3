#include "schema/table/glob.h"

#include <catch2/catch.hpp>

using knead::schema::matches_glob;
using knead::schema::nearest_to_glob;

TEST_CASE("a star stands for any text, a question mark for one character") {
  CHECK(matches_glob("*.bias", "layers.0.bias"));
  CHECK(matches_glob("*bias", "bias"));
  CHECK(matches_glob("*", ""));
  CHECK(matches_glob("layers.?.weight", "layers.0.weight"));
  CHECK(matches_glob("*.0.*", "blocks.0.norm.weight"));
  CHECK(matches_glob("head.weight", "head.weight"));
  CHECK_FALSE(matches_glob("*.bias", "bias"));
  CHECK_FALSE(matches_glob("layers.?.weight", "layers.10.weight"));
  CHECK_FALSE(matches_glob("head", "head.weight"));
  CHECK_FALSE(matches_glob("", "head"));
  CHECK_FALSE(matches_glob("[ab]", "a"));
}

TEST_CASE("what a pattern may have meant") {
  const std::vector<std::string> names{"layers.0.weight", "layers.0.bias", "layers.1.bias",
                                       "head.weight"};
  using Names = std::vector<std::string>;
  CHECK(nearest_to_glob("*.bais", names, 9) == Names{"layers.0.bias", "layers.1.bias"});
  CHECK(nearest_to_glob("*.bais", names, 1) == Names{"layers.0.bias"});
  CHECK(nearest_to_glob("haed.*", names, 9) == Names{"head.weight"});
  CHECK(nearest_to_glob("encoder.embedding", names, 9).empty());
  CHECK(nearest_to_glob("*.bias", {}, 9).empty());
}
