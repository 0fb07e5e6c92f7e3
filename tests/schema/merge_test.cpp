// What is put together before validation: extends, overrides, like.
#include <catch2/catch.hpp>

#include "schema/document/problem_text.h"
#include "schema/render.h"
#include "tests/schema/world.h"

using namespace knead;
using tests::FakeWorld;

namespace {

FakeWorld world_with(const std::string& recipe) {
  return {{{"/here/r.yaml", recipe}, {"/here/mlp.py", ""}, {"/here/parts/mlp.py", ""}}, {}};
}

schema::Understood understood(const FakeWorld& world,
                              const std::vector<std::string>& overrides = {}) {
  try {
    return schema::load("r.yaml", overrides, world.world());
  } catch (const schema::InvalidRecipe& invalid) {
    FAIL(schema::to_text(invalid.problems()));
    throw;
  }
}

std::vector<std::string> merge_codes(const FakeWorld& world,
                                     const std::vector<std::string>& overrides = {}) {
  std::vector<std::string> out;
  for (const auto& problem : schema::lint("r.yaml", overrides, world.world())) {
    out.push_back(schema::to_string(problem.place) + " " + problem.code);
  }
  return out;
}

using Codes = std::vector<std::string>;

}  // namespace

TEST_CASE("a later file wins key by key, and lists are replaced") {
  FakeWorld world = world_with(
      "extends: [parts/a.yaml, parts/b.yaml]\nbatch: {micro: 8}\noptimizer: {betas: [0.5, 0.6]}\n");
  world.files["/here/parts/a.yaml"] = std::string(tests::kGoodRecipe) + "seed: 1\n";
  world.files["/here/parts/b.yaml"] = "seed: 2\noptimizer: {lr: 0.5}\n";
  const auto recipe = understood(world).recipe;
  CHECK(recipe.seed == 2);
  CHECK(recipe.batch.size == 32);
  CHECK(recipe.batch.micro == 8);
  const auto& adamw = std::get<recipe::AdamW>(recipe.optimizer);
  CHECK(adamw.lr == 0.5);
  CHECK(adamw.betas == std::vector<double>{0.5, 0.6});
}

TEST_CASE("a path is relative to the file that names it, an argument's to the current directory") {
  FakeWorld world = world_with("extends: parts/a.yaml\n");
  world.files["/here/parts/a.yaml"] = tests::kGoodRecipe;
  CHECK(understood(world).recipe.model.source == "/here/parts/mlp.py");
  CHECK(understood(world, {"model.source=mlp.py"}).recipe.model.source == "/here/mlp.py");
}

TEST_CASE("null takes a key of a base away") {
  FakeWorld world = world_with("extends: a.yaml\nclip: null\n");
  world.files["/here/a.yaml"] = std::string(tests::kGoodRecipe) + "clip: 1.0\n";
  CHECK_FALSE(understood(world).recipe.clip.has_value());
}

TEST_CASE("when a kind changes, the hint says how to leave the base's keys out") {
  FakeWorld world = world_with("extends: a.yaml\noptimizer: {type: sgd}\n");
  world.files["/here/a.yaml"] = std::string(tests::kGoodRecipe);
  world.files["/here/a.yaml"].replace(world.files["/here/a.yaml"].find("lr: 1e-3"), 8,
                                      "lr: 1e-3, betas: [0.9, 0.95]");
  const auto problems = schema::lint("r.yaml", {}, world.world());
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].message == "unknown key 'betas' in optimizer (sgd)");
  CHECK(problems[0].hint ==
        "the type became 'sgd' at r.yaml:2:13; write 'betas: null' there to leave the key out");
  world.files["/here/r.yaml"] = "extends: a.yaml\noptimizer: {type: sgd, betas: null}\n";
  CHECK(std::holds_alternative<recipe::Sgd>(understood(world).recipe.optimizer));
}

TEST_CASE("extends ends: cycles, depth and numbers of files") {
  FakeWorld world = world_with("extends: a.yaml\n");
  world.files["/here/a.yaml"] = "extends: r.yaml\n";
  CHECK(merge_codes(world) == Codes{"a.yaml:1:10 extends-cycle"});

  for (int i = 0; i < 12; ++i) {
    world.files["/here/" + std::to_string(i) + ".yaml"] =
        "extends: " + std::to_string(i + 1) + ".yaml\n";
  }
  world.files["/here/r.yaml"] = "extends: 0.yaml\n";
  CHECK(merge_codes(world) == Codes{"7.yaml:1:10 extends-depth"});

  std::string many = "extends: [a.yaml";
  for (int i = 0; i < 70; ++i) many += ", a.yaml";
  world.files["/here/r.yaml"] = many + "]\n";
  world.files["/here/a.yaml"] = tests::kGoodRecipe;
  CHECK(merge_codes(world).at(0).ends_with("extends-depth"));
}

TEST_CASE("what is only suspicious in a path of a base is no silence about the base") {
  const FakeWorld world = world_with("extends: [\"${BASE}.yaml\"]\n");
  CHECK(merge_codes(world) == Codes{"r.yaml:1:11 missing-file"});
}

TEST_CASE("a path of very many keys is refused, not followed") {
  std::string path = "model.args";
  for (int i = 0; i < 100'000; ++i) path += ".a";
  CHECK(merge_codes(world_with(tests::kGoodRecipe), {path + "=1"}) ==
        Codes{"override:1:1 too-large"});
}

TEST_CASE("arguments come last, in order") {
  const FakeWorld world = world_with(tests::kGoodRecipe);
  const auto recipe = understood(world, {"batch.micro=8", "batch=64", "seed=1", "seed=2",
                                         "clip.norm=1", "optimizer={type: sgd, lr: 0.1}",
                                         "optimizer.momentum=0.9", "model.args.width=3",
                                         "evaluate.metrics=accuracy", "evaluate.metrics.0.top=5"})
                          .recipe;
  CHECK(recipe.batch.size == 64);
  CHECK(recipe.batch.micro == 8);
  CHECK(recipe.seed == 2);
  CHECK(recipe.clip->norm == 1.0);
  CHECK(std::get<recipe::Sgd>(recipe.optimizer).momentum == 0.9);
  CHECK(recipe.model.args.at("width").integer == 3);
  CHECK(std::get<recipe::Accuracy>(recipe.evaluate.metrics.at(0)).top == 5);
}

TEST_CASE("behind sweep.over. the rest of an argument's path is one name, with its dots") {
  const FakeWorld world = world_with(std::string(tests::kGoodRecipe) +
                                     "sweep: {over: {optimizer.lr: [0.1], batch: [32, 64]}}\n");
  const auto tree =
      understood(world, {"sweep.over.optimizer.lr=[0.2, 0.3]", "sweep.over.seed=[1, 2]"}).tree;
  const schema::Node& over = tree.at("sweep").at("over");
  REQUIRE(over.entries.size() == 3);
  CHECK(over.entries[0].key == "optimizer.lr");
  CHECK(over.entries[0].value.at("values").items.size() == 2);
  CHECK(over.entries[2].key == "seed");
  CHECK(schema::find_path(tree, "sweep.over.optimizer.lr") == over.find("optimizer.lr"));
  CHECK(schema::find_path(tree, "sweep.over.optimizer") == nullptr);
  CHECK(merge_codes(world, {"sweep.over.optimizer.lrr=[1]"}) == Codes{"override:1:12 unknown-key"});
}

TEST_CASE("a mistake in an argument is placed in the argument") {
  const FakeWorld world = world_with(tests::kGoodRecipe);
  CHECK(merge_codes(world, {"optimizer.lrr=1"}) == Codes{"override:1:11 unknown-key"});
  CHECK(merge_codes(world, {"seed=1", "optimizer.lr=-1"}) == Codes{"override:2:14 out-of-range"});
  CHECK(merge_codes(world, {"train.until=20"}) == Codes{"override:1:13 unit-missing"});
  CHECK(merge_codes(world, {"train.until=[1"}) == Codes{"override:1:13 yaml-syntax"});
  CHECK(merge_codes(world, {"nothing"}) == Codes{"override:1:1 bad-override"});
  CHECK(merge_codes(world, {"a..b=1"}) == Codes{"override:1:1 bad-override"});
  CHECK(merge_codes(world, {"seed="}) == Codes{"override:1:1 bad-override"});
  CHECK(merge_codes(world, {"extends=x.yaml"}) == Codes{"override:1:1 bad-override"});
  CHECK(merge_codes(world, {"data.train.rows.7=1"}) == Codes{"override:1:17 bad-override"});
  CHECK(merge_codes(world, {"optimizer=null"}) == Codes{"override:1:11 missing-key"});
}

TEST_CASE("like takes the other set's keys as they are after arguments") {
  const FakeWorld world = world_with(tests::kGoodRecipe);
  const auto data = understood(world, {"data.train.delimiter=;"}).recipe.data;
  const auto& train = std::get<recipe::Csv>(data.train);
  const auto& validation = std::get<recipe::Csv>(*data.validation);
  CHECK(validation.delimiter == ";");
  CHECK(validation.fields.size() == 2);
  CHECK(validation.rows->at(0).value == 1500);
  CHECK(train.rows->at(1).value == 1500);

  const auto held_out =
      understood(world, {"data.validation={like: train, hold_out: 10%}"}).recipe.data;
  const auto& share = std::get<recipe::Csv>(*held_out.validation);
  CHECK(share.hold_out == schema::Quantity{10, schema::Unit::percent});
  CHECK(share.rows->at(1).value == 1500);
  CHECK_FALSE(std::get<recipe::Csv>(held_out.train).hold_out.has_value());
}

TEST_CASE("a set that is like nothing must be whole") {
  CHECK(merge_codes(world_with(tests::kGoodRecipe), {"data.validation.like=null"}) ==
        Codes{"override:1:6 missing-key"});
}

TEST_CASE("a mistake that a set takes from another is one mistake") {
  std::string text = tests::kGoodRecipe;
  text.replace(text.find("digits.csv"), 10, "digits.csv\n    delimter: \";\"");
  CHECK(merge_codes(world_with(text)) == Codes{"r.yaml:8:5 unknown-key"});
  CHECK(merge_codes(world_with(tests::kGoodRecipe), {"data.validation.like=tset"}) ==
        Codes{"override:1:22 like-unknown"});
  CHECK(merge_codes(world_with(tests::kGoodRecipe), {"data.train.like=validation"}) ==
        Codes{"r.yaml:12:22 like-cycle"});
}

TEST_CASE("a rendered recipe renders to itself") {
  FakeWorld world = world_with(tests::kGoodRecipe);
  world.variables["WIDTH"] = "128";
  const std::vector<std::string> overrides{
      "model.args={w: \"${env:WIDTH}\", s: \"a: b\", n: null, deep: {x: [1, {y: [~, yes]}]}}",
      "schedule={type: cosine, warmup: 10%}", "train.time_limit=90 min",
      "expect=[{metric: validation/loss, at_most: 1e-3}]",
      "description=\"costs $${HOME} and # more\""};
  const std::string once = schema::render(understood(world, overrides).tree);
  INFO(once);
  world.files["/here/r.yaml"] = once;
  CHECK(schema::render(understood(world).tree) == once);
  CHECK(understood(world).recipe.description == "costs ${HOME} and # more");
  world.files["/here/r.yaml"] = schema::render(understood(world).tree, true);
  CHECK(schema::render(understood(world).tree) == once);
}
