// Any bytes through load → validate → render, without a disk. Parts are separated by the byte 0x1E:
// the recipe, a file that it may extend as base.yaml, then arguments.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "schema/document/problem_text.h"
#include "schema/print/linted.h"
#include "schema/render.h"
#include "tests/schema/world.h"

namespace {

using namespace knead;

std::vector<std::string> parts_of(const std::string& bytes) {
  std::vector<std::string> parts{""};
  for (const char byte : bytes) {
    if (byte == '\x1e') {
      parts.emplace_back();
    } else {
      parts.back() += byte;
    }
  }
  return parts;
}

[[noreturn]] void fail(const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}

void check_problems(const schema::Problems& problems) {
  for (const schema::Problem& problem : problems) {
    if (!problem.place || problem.place.line() < 1 || problem.place.column() < 1)
      fail("a problem without a place");
    if (problem.message.empty() || problem.code.empty()) fail("a problem without words");
  }
  schema::to_text(problems);
  const std::vector<schema::Linted> linted{{"recipe.yaml", problems}};
  schema::as_json(linted);
  schema::as_sarif(linted, "0");
  schema::as_rdjsonl(linted);
  schema::as_github(linted);
  schema::as_junit(linted, true);
}

void check_written(const schema::Understood& understood, tests::FakeWorld world) {
  const std::string once = schema::render(understood.tree);
  world.files["/here/r.yaml"] = once;
  try {
    if (schema::render(schema::load("r.yaml", {}, world.world()).tree) != once)
      fail("render is not stable:\n" + once);
  } catch (const schema::InvalidRecipe& invalid) {
    fail("what render writes is refused:\n" + once + schema::to_text(invalid.problems()));
  }
  schema::render(understood.tree, true);
}

void run(const tests::FakeWorld& world, const std::vector<std::string>& overrides) {
  schema::Understood understood;
  try {
    understood = schema::load("r.yaml", overrides, world.world());
  } catch (const schema::InvalidRecipe& invalid) {
    return check_problems(invalid.problems());
  }
  check_written(understood, world);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::string> parts = parts_of({reinterpret_cast<const char*>(data), size});
  tests::FakeWorld world;
  // Whatever path a recipe names as a model is there; only base.yaml can be extended.
  world.files["/here/r.yaml"] = parts[0];
  world.files["/here/base.yaml"] = parts.size() > 1 ? parts[1] : "";
  world.files["/here/mlp.py"] = world.files["/models/mlp.py"] = "";
  world.variables = {{"A", "7"}, {"B", "012"}, {"C", "a: b"}, {"D", ""}};
  const std::vector<std::string> overrides(parts.begin() + std::min<std::size_t>(parts.size(), 2),
                                           parts.end());
  run(world, overrides);
  return 0;
}
