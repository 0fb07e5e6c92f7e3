// The schema against itself: what it says of a key must be true of the key.
#include "schema/table/catalog.h"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "schema/document/parse.h"
#include "schema/document/problem_text.h"
#include "schema/merge/environment.h"
#include "schema/merge/shorthand.h"
#include "schema/rules/problem_kinds.h"
#include "schema/validate/validate.h"

using namespace knead::schema;

namespace {

/// What is wrong with `key: value` in a block that has this key alone.
std::string problems_of(const Key& key, std::string_view value) {
  const Key keys[] = {key};
  const Type block{.shape = Shape::block, .name = "Alone", .keys = keys};
  const std::string text = fmt::format("{}: {}\n", key.name, value);
  Problems problems;
  auto tree = parse_yaml(std::make_shared<Source>("r.yaml", "/here/r.yaml", text), problems);
  if (tree) {
    expand_shorthand(*tree, block);
    // Examples of secrets name variables.
    expand_environment(
        *tree, [](const std::string&) { return std::optional("abc"); }, problems);
    validate(*tree, block, "/here", problems);
  }
  return to_text(problems);
}

}  // namespace

TEST_CASE("every default and every example is a value that its key takes") {
  for (const Listed& listed : every_key(recipe_type())) {
    INFO(listed.path());
    if (listed.key->has_default) CHECK(problems_of(*listed.key, listed.key->default_value) == "");
    if (!listed.key->example.empty()) CHECK(problems_of(*listed.key, listed.key->example) == "");
  }
}

TEST_CASE("every key has words and an example") {
  for (const Listed& listed : every_key(recipe_type())) {
    INFO(listed.path());
    CHECK(listed.key->description.ends_with("."));
    CHECK((!listed.key->example.empty() || listed.key->name == "type"));
  }
}

TEST_CASE("no name that people bring along is a key of the same block") {
  const std::vector<Listed> all = every_key(recipe_type());
  for (const Listed& listed : all) {
    for (const Listed& other : all) {
      if (other.block != listed.block || other.kind != listed.kind) continue;
      for (const std::string_view also : listed.key->also) {
        INFO(listed.path() << " " << also);
        CHECK(brought(also).name != other.key->name);
      }
    }
  }
}

TEST_CASE("kinds of problems are in alphabetical order, each once, each with words") {
  std::string_view last;
  for (const ProblemKind& kind : problem_kinds()) {
    CHECK(last < kind.code);
    CHECK(kind.words.ends_with("."));
    last = kind.code;
  }
}
