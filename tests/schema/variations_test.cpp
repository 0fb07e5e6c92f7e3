#include <atomic>
#include <thread>

#include <fmt/format.h>
#include <rapidcheck.h>
#include <catch2/catch.hpp>

#include "schema/document/scalar.h"
#include "schema/document/yaml_text.h"
#include "schema/render.h"
#include "schema/variations.h"
#include "tests/schema/world.h"

using namespace knead;
using namespace knead::tests;

namespace {

/// The recipe stands in a folder below the current one, so that paths of the two differ.
const std::string kFile = "sub/r.yaml";

FakeWorld world_of(const std::string& sweep) {
  return {{{"/here/sub/r.yaml", kGoodRecipe + sweep}, {"/here/sub/mlp.py", ""}, {"/m.py", ""}},
          {{"LR", "0.125"}, {"DATA", "/data"}, {"WORD", "a b"}, {"CURLY", "$${x} ${y}"}}};
}

/// A recipe that is swept over these values of one key, which are a YAML list.
FakeWorld world_of(const std::string& key, const std::string& values) {
  return world_of(fmt::format("sweep: {{over: {{{}: {{values: {}}}}}}}\n", key, values));
}

std::vector<schema::Assignment> choices(const schema::Variations& variations) {
  std::vector<schema::Assignment> all;
  for (const auto& [key, swept] : variations.base().recipe.sweep->over.value())
    for (const schema::Node& value : swept.values.value()) all.push_back({key, value});
  return all;
}

/// Requires that each value of a key gives the recipe that its argument gives.
void check_arguments(const FakeWorld& world) {
  for (const schema::Problem& problem : schema::lint(kFile, {}, world.world()))
    UNSCOPED_INFO(problem.message);
  const schema::Variations variations(kFile, {}, world.world());
  for (const schema::Assignment& one : choices(variations)) {
    INFO(schema::flow_as_yaml(one.value));
    for (const schema::Problem& problem : variations.problems({&one, 1}))
      UNSCOPED_INFO(problem.message);
    const schema::Node tree = variations.with({&one, 1}).tree;
    const std::string argument = schema::as_argument(one, tree);
    INFO(argument);
    CHECK(argument.find('\n') == std::string::npos);
    const auto again = schema::load(kFile, {argument, "sweep=null"}, world.world());
    CHECK(schema::render(tree) == schema::render(again.tree));
  }
}

std::string argument_of(const std::string& key, const std::string& value) {
  const FakeWorld world = world_of(key, "[" + value + "]");
  const schema::Variations variations(kFile, {}, world.world());
  const schema::Assignment one = choices(variations).at(0);
  return schema::as_argument(one, variations.with({&one, 1}).tree);
}

}  // namespace

TEST_CASE("a variation is the recipe that its arguments give") {
  const auto [key, values] = GENERATE(table<std::string, std::string>({
      {"optimizer.lr", "[1e-3, 0x10, 2, 0.5, '${env:LR}', '${env:NONE:-1e-2}']"},
      {"optimizer", "[{type: sgd, lr: 0.1, momentum: 0.9}, {type: adam, lr: 1, betas: [0, 0.5]}]"},
      {"optimizer.betas", "[[0.9, 0.99], [0, 0]]"},
      {"clip", "[null, 1.0, {value: 0.5}, {norm: 2, norm_type: 1}]"},
      {"batch", "[64, {size: 64, micro: 8}]"},
      {"batch.micro", "[8, 4]"},
      {"train", "[10 epochs, {until: 5 epochs}, 1e3 steps]"},
      {"schedule", "[cosine, {type: cosine, warmup: 10 steps}, constant]"},
      {"schedule", "[null, linear]"},
      {"evaluate.metrics", "[accuracy, [accuracy], {type: accuracy, top: 5}, [], null]"},
      {"evaluate.metrics", "[[{type: accuracy, top: 5}, perplexity]]"},
      {"threads", "[auto, 2]"},
      {"model.freeze", R"(["yes", "12:30", "012", 'it''s "it"', "a\nb\tc", "a, b: {c} # d"])"},
      {"model.freeze",
       R"(["${env:WORD}", "$${env:WORD}", "${env:CURLY}", "${other}", "é ☃", '$x'])"},
      {"model.args.x",
       R"(["yes", "12:30", "012", 'it''s "it"', "a\nb\tc", "", null, true, 'true'])"},
      {"model.args.x", R"(["${env:WORD}", "${env:LR}", "$${env:LR}", "${env:CURLY}", "${other}"])"},
      {"model.args.x", R"([1, 1.0, -0.0, 1e300, .inf, -.inf, 9223372036854775807, [], {}])"},
      {"model.args.x", R"([[1, [2, {a: null}]], {a.b: 1, "c d": [yes], 'e: f': "${env:LR}"}])"},
      {"model.args", "[{inputs: 64}, null]"},
      {"model.source", "[/m.py, mlp.py, ./mlp.py]"},
      {"model", "[{source: /m.py, class: A}, {source: mlp.py, args: {source: mlp.py}}]"},
      {"data.train.path", "[x.csv, '../y z.csv', /abs.csv, '${env:DATA}/a.csv', '${env:WORD}']"},
      {"data.train.path", R"(["$${x}/a.csv", "a, b.csv"])"},
      {"data.validation",
       "[{like: train, rows: [1500, 1600]}, {type: npz, path: v.npz, fields: "
       "{pixels: {key: a}, digit: {key: b}}}]"},
      {"data.validation.rows", "[[1500, 1600], [50%, 100%], [1500, 1600 rows]]"},
      {"loss", "[{type: cross_entropy, target: digit, label_smoothing: 0.1}]"},
      {"early_stopping", "[3 evaluations, {patience: 2 evaluations, min_delta: 1e-3}]"},
      {"model.freeze", "['token.*', ['a.*', b]]"},
  }));
  check_arguments(world_of(key, values));
}

TEST_CASE("a variation with any text is the recipe that its argument gives") {
  CHECK(rc::check("text", [](const std::string& bytes) {
    std::string text;  // of printable characters, which a recipe may hold
    for (const char c : bytes) text += static_cast<char>(0x20 + static_cast<unsigned char>(c) % 95);
    FakeWorld world = world_of("model.freeze", "[" + schema::text_as_yaml("k" + text) + "]");
    check_arguments(world);
    world =
        world_of("model.args.x", fmt::format("[{{{0}: [{0}]}}]", schema::text_as_yaml("k" + text)));
    check_arguments(world);
  }));
}

TEST_CASE("an argument is as short as what is written") {
  CHECK(argument_of("optimizer.lr", "1e-3") == "optimizer.lr=0.001");
  CHECK(argument_of("optimizer", "{type: sgd, lr: 0.1}") == "optimizer={type: sgd, lr: 0.1}");
  CHECK(argument_of("clip", "null") == "clip=null");
  CHECK(argument_of("model.args.x", "'${env:WORD}'") == "model.args.x=\"${env:WORD}\"");
  CHECK(argument_of("data.train.path", "x.csv") == "data.train.path=/here/sub/x.csv");
  CHECK(argument_of("model", "{source: mlp.py}") == "model={source: /here/sub/mlp.py}");
  CHECK(argument_of("batch", "64") == "batch=64");
}

TEST_CASE("a problem of a variation stands at the value that is assigned") {
  const FakeWorld world = world_of("optimizer.lr", "[1e-3, 2e-3]");
  const schema::Variations variations(kFile, {}, world.world());
  std::vector<schema::Assignment> all = choices(variations);
  all[1].value = schema::number_node(-1, all[1].value.place);
  CHECK(variations.problems({&all[0], 1}).empty());
  const schema::Problems problems = variations.problems({&all[1], 1});
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].place == all[1].value.place);
  CHECK(problems[0].message == "optimizer.lr must be more than 0: '-1'");
  CHECK_THROWS_AS(variations.with({&all[1], 1}), schema::InvalidRecipe);
}

TEST_CASE("a variation has no block sweep and keeps the recipe's other values") {
  const FakeWorld world = world_of("optimizer.lr", "[0.5]");
  const schema::Variations variations(kFile, {"batch=16"}, world.world());
  CHECK(variations.base().recipe.sweep.has_value());
  const schema::Understood one = variations.with(choices(variations));
  CHECK_FALSE(one.recipe.sweep.has_value());
  CHECK(one.recipe.batch.size == 16);
  CHECK(schema::render(variations.with({}).tree) ==
        schema::render(schema::load(kFile, {"batch=16", "sweep=null"}, world.world()).tree));
}

TEST_CASE("several values are assigned together") {
  const FakeWorld world = world_of("batch", "[30]");
  const schema::Variations variations(kFile, {}, world.world());
  const schema::Place place = choices(variations)[0].value.place;
  const std::vector<schema::Assignment> both{{"batch.micro", schema::integer_node(10, place)},
                                             {"batch.size", schema::integer_node(30, place)},
                                             {"optimizer.lr", schema::number_node(0.25, place)}};
  const recipe::Recipe recipe = variations.with(both).recipe;
  CHECK(recipe.batch.size == 30);
  CHECK(recipe.batch.micro == 10);
  CHECK(std::get<recipe::AdamW>(recipe.optimizer).lr == 0.25);
}

TEST_CASE("files are looked for once, and threads may check variations at once") {
  const FakeWorld files = world_of("optimizer.lr", "[0.5, 0.25]");
  std::atomic<int> asked = 0;
  schema::World world = files.world();
  world.files.exists = [&](const std::filesystem::path&) { return ++asked > 0; };
  const schema::Variations variations(kFile, {}, world);
  const int by_reading = asked;
  const std::vector<schema::Assignment> all = choices(variations);
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 50; ++round)
        for (const schema::Assignment& one : all) variations.problems({&one, 1});
    });
  }
  threads.clear();
  CHECK(asked == by_reading);
}
