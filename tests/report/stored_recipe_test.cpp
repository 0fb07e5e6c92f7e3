#include "runner/report/stored_recipe.h"

#include <catch2/catch.hpp>

using namespace knead;

namespace {

const std::string kText = R"(version: 1  # digits.yaml:2:10
name: digits  # digits.yaml:3:7
optimizer:
  lr: 0.001  # override 'optimizer.lr=0.001'
  betas: [0.9, 0.999]  # default
  # weight_decay: 0
evaluate:
  monitor: "validation/# good"  # default
  metrics:
    - type: script  # a.yaml:1:1
      name: "# good"
      goal: maximize  # default
token: ${env:TOKEN}  # ${env:TOKEN} at a.yaml:1:1
)";

}  // namespace

TEST_CASE("a stored recipe has its values and where they come from") {
  const report::StoredRecipe recipe = report::stored_recipe(kText);
  CHECK(recipe.value("optimizer.lr") == "0.001");
  CHECK(recipe.value("optimizer.betas") == "[0.9, 0.999]");
  CHECK(recipe.value("optimizer.weight_decay").empty());
  CHECK(recipe.value("evaluate.metrics.0.goal") == "maximize");
  CHECK(recipe.value("token") == "${env:TOKEN}");  // and not its value
  REQUIRE(recipe.keys.size() == 9);
  CHECK(recipe.keys[0].origin == "digits.yaml:2:10");
  CHECK(recipe.keys[2].origin == "override 'optimizer.lr=0.001'");
  CHECK(recipe.keys[4].value == "validation/# good");
  CHECK(recipe.keys[4].origin == "default");
  CHECK(recipe.keys[6].origin.empty());
  CHECK(recipe.monitor().metric == "validation/# good");
  CHECK(recipe.monitor().goal == plan::Goal::high);
}

TEST_CASE("a text that is no recipe has no keys") {
  for (const std::string text : {"", "{", "\x01", "- a\n- b", "&a [*a]"}) {
    const report::StoredRecipe recipe = report::stored_recipe(text);
    CHECK(recipe.text == text);
    CHECK(recipe.monitor().metric.empty());
  }
}

TEST_CASE("recipes differ in the keys whose values differ") {
  const auto a = report::stored_recipe("name: a\noutput: x\nseed: 0\nbatch: {size: 32}\nold: 1\n");
  const auto b =
      report::stored_recipe("name: b\noutput: y\nseed: 0\nbatch: {size: 64}\nnew: [1]\n");
  const auto found = report::differences({&a, &b, &a});
  REQUIRE(found.size() == 3);
  CHECK(found[0].path == "batch.size");
  CHECK(found[0].values == std::vector<std::string>{"32", "64", "32"});
  CHECK(found[1].path == "old");
  CHECK(found[1].values == std::vector<std::string>{"1", "", "1"});
  CHECK(found[2].values == std::vector<std::string>{"", "[1]", ""});
  CHECK(report::differences({&a}).empty());
}
