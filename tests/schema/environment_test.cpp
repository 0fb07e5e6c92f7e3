#include "schema/merge/environment.h"

#include <catch2/catch.hpp>

#include "schema/document/parse.h"
#include "schema/document/problem_text.h"
#include "schema/print/linted.h"
#include "schema/render.h"
#include "schema/validate/validate.h"

using namespace knead::schema;

namespace {

std::optional<std::string> variable(const std::string& name) {
  if (name == "LR") return "1e-3";
  if (name == "NAME") return "42";
  if (name == "TOKEN") return "s3cr3t-canary";
  if (name == "EMPTY") return "";
  if (name == "BROKEN") return "\xff";
  if (name == "COMMAS") return std::string(50'001, ',');
  return std::nullopt;
}

struct Expanded {
  Node tree;
  Problems problems;
};

Expanded expanded(const std::string& text) {
  Expanded out;
  out.tree = *parse_yaml(std::make_shared<Source>("r.yaml", "/here/r.yaml", text), out.problems);
  expand_environment(out.tree, variable, out.problems);
  return out;
}

/// A language with a secret, as the trackers will have it.
constexpr Type kText{.shape = Shape::text};
constexpr Key kKeys[] = {{.name = "token", .type = &kText, .secret = true},
                         {.name = "plain", .type = &kText},
                         {.name = "old", .type = &kText, .deprecated = "write 'plain' instead"}};
constexpr Type kSink{.shape = Shape::block, .name = "Sink", .keys = kKeys};

struct Validated {
  Checked checked;
  Problems problems;
};

Validated validated(const std::string& text) {
  Expanded tree = expanded(text);
  Validated out;
  out.problems = std::move(tree.problems);
  out.checked = validate(tree.tree, kSink, "/here", out.problems);
  return out;
}

}  // namespace

TEST_CASE("a reference is typed like a written scalar, quoted or not") {
  const Node tree = expanded(
                        "a: ${env:LR}\nb: {c: \"${env:LR}\"}\nd: x-${env:NAME}\ne: "
                        "${env:NOPE:-7}\nf: ${env:EMPTY:-8}\n")
                        .tree;
  CHECK(tree.at("a").number == 1e-3);
  CHECK(tree.at("b").at("c").number == 1e-3);
  CHECK(tree.at("d").text == "x-42");
  CHECK(tree.at("e").integer == 7);
  CHECK(tree.at("f").integer == 8);
  CHECK(tree.at("a").reference == "${env:LR}");
}

TEST_CASE("where text is wanted, a number from the environment is text") {
  const Validated result = validated("plain: ${env:NAME}\n");
  CHECK(result.problems.empty());
  CHECK(result.checked.tree.at("plain").text == "42");
}

TEST_CASE("nothing else is replaced") {
  const Expanded result = expanded("a: $${env:LR}\nb: $HOME\nc: ${LR}\nd: $${LR}\n");
  CHECK(result.tree.at("a").text == "${env:LR}");
  CHECK(result.tree.at("b").text == "$HOME");
  CHECK(result.tree.at("c").text == "${LR}");
  CHECK(result.tree.at("d").text == "${LR}");
  REQUIRE(result.problems.size() == 1);
  CHECK(to_text(result.problems) ==
        "r.yaml:3:4: warning: '${LR}' is not replaced [env-form]\n"
        "    3 | c: ${LR}\n"
        "      |    ^~~~~\n"
        "      = write ${env:LR} for the environment variable, $${LR} for this text\n");
}

TEST_CASE("what is not set, no reference or no text is a problem at its place") {
  CHECK(expanded("a: ${env:NOPE}\n").problems.at(0).message ==
        "the environment variable NOPE is not set");
  CHECK(expanded("a: ${env:1X}\n").problems.at(0).code == "env-syntax");
  CHECK(expanded("a: ${env:LR\n").problems.at(0).code == "env-syntax");
  CHECK(expanded("a: ${env:BROKEN}\n").problems.at(0).message ==
        "the environment variable BROKEN holds no text");
}

TEST_CASE("a value with too many commas is said to have them") {
  const Problems problems = expanded("a: ${env:COMMAS}\n").problems;
  REQUIRE(problems.size() == 1);
  CHECK(to_text(problems) ==
        "r.yaml:1:4: error: the environment variable COMMAS: more than 50000 commas and opening "
        "brackets [too-large]\n"
        "    1 | a: ${env:COMMAS}\n"
        "      |    ^~~~~~~~~~~~~\n"
        "      = a recipe names large data, it does not hold it\n");
}

TEST_CASE("a secret is only ever a reference, and never shown") {
  const Validated good = validated("token: ${env:TOKEN}\nplain: ${env:LR}\n");
  CHECK(good.problems.empty());
  CHECK(good.checked.tree.at("token").text == "s3cr3t-canary");
  for (const bool origin : {false, true}) {
    const std::string shown = render(good.checked.tree, origin);
    CHECK(shown.find("canary") == std::string::npos);
    CHECK(shown.find("token: \"${env:TOKEN}\"") != std::string::npos);
  }

  for (const char* text : {"token: s3cr3t-canary\n", "token: Bearer ${env:TOKEN}\n",
                           "token: ${env:NOPE:-s3cr3t-canary}\n"}) {
    const Validated bad = validated(text);
    REQUIRE(bad.problems.size() == 1);
    CHECK(bad.problems[0].code == "secret-written");
    CHECK(to_text(bad.problems).find("canary") == std::string::npos);
    CHECK(as_json({{"recipe.yaml", bad.problems}}).find("canary") == std::string::npos);
    CHECK(render(bad.checked.tree).find("canary") == std::string::npos);
  }
}

TEST_CASE("a key that is going away is a warning with what to write instead") {
  const Validated result = validated("old: x\n");
  REQUIRE(result.problems.size() == 1);
  CHECK(result.problems[0].severity == Severity::warning);
  CHECK(result.problems[0].hint == "write 'plain' instead");
}
