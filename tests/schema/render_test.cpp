// What knead writes out as it understood it is a recipe again: it says the same, and nothing is
// wrong with it.

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "schema/document/problem_text.h"
#include "schema/render.h"
#include "schema/table/catalog.h"
#include "tests/schema/world.h"

using namespace knead::schema;

namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

constexpr const char* kWritten = "as understood.yaml";

std::set<std::string> codes(const Problems& problems) {
  std::set<std::string> all;
  for (const Problem& problem : problems) all.insert(problem.code);
  return all;
}

/// Reads what was written out once more.
Understood read_again(const std::string& text, const World& world) {
  World later = world;
  later.files.read = [&](const fs::path& path) {
    return path.filename() == kWritten ? text : world.files.read(path);
  };
  try {
    return load(kWritten, {}, later);
  } catch (const InvalidRecipe& invalid) {
    FAIL(to_text(invalid.problems()));
    throw;
  }
}

/// Holds for one recipe, if it is one without errors. Whether it is.
bool is_written_well(const std::string& file, const Texts& overrides, const World& world) {
  Understood understood;
  try {
    understood = load(file, overrides, world);
  } catch (const InvalidRecipe&) {
    return false;
  }
  const std::string text = render(understood.tree, /*origin=*/true);
  INFO(file << " " << fmt::format("{}", fmt::join(overrides, " ")) << "\n" << text);
  const Understood again = read_again(text, world);
  const std::set<std::string> before = codes(understood.warnings), after = codes(again.warnings);
  CHECK(std::includes(before.begin(), before.end(), after.begin(), after.end()));
  CHECK(render(again.tree) == render(understood.tree));
  return true;
}

/// The files below a folder that may be recipes.
std::vector<fs::path> recipes_below(const fs::path& folder) {
  std::vector<fs::path> all;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".yaml") all.push_back(entry.path());
  }
  std::sort(all.begin(), all.end());
  return all;
}

World world_at(const fs::path& folder) {
  return {disk(), [](const std::string&) { return std::nullopt; }, folder};
}

/// `{type: kind, key: example}` with examples of what must be there besides.
std::string block_with(const Type& block, const Listed& listed) {
  std::string text = listed.kind.empty() ? "" : fmt::format("type: {}", listed.kind);
  for (const Key& key : block.keys) {
    const bool is_wanted = key.name == listed.key->name || key.required;
    if (!is_wanted || key.name == "type" || key.example.empty()) continue;
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", key.name, key.example);
  }
  return fmt::format("{{{}}}", text);
}

const Type* block_type(const Type* type, const std::string& kind) {
  if (!type || kind.empty()) return type;
  for (const Kind& each : type->kinds) {
    if (each.name == kind) return each.type;
  }
  return nullptr;
}

/// The override that sets a key to its example, in a block, list or dictionary made for it; nothing
/// for keys of the top block that are fine as they are.
std::string override_with(const Listed& listed) {
  const Type* type = block_type(type_at(recipe_type(), listed.block), listed.kind);
  if (listed.block.empty() || !type || type->shape != Shape::block)
    return fmt::format("{}={}", listed.path(), listed.key->example);
  std::string path = listed.block;
  std::string value = block_with(*type, listed);
  for (std::size_t star = path.rfind(".*"); star != path.npos; star = path.rfind(".*")) {
    std::string inner = path.substr(star + 2);
    while (!inner.empty()) {
      const std::size_t dot = inner.rfind('.');
      value = fmt::format("{{{}: {}}}", inner.substr(dot + 1), value);
      inner.resize(dot);
    }
    path.resize(star);
    const Type* holder = type_at(recipe_type(), path);
    const bool is_list = holder && holder->shape == Shape::list;
    value = is_list ? fmt::format("[{}]", value) : fmt::format("{{a: {}}}", value);
  }
  return fmt::format("{}={}", path, value);
}

}  // namespace

TEST_CASE("every recipe is written out as one that lint takes") {
  int written = 0;
  for (const char* folder : {"recipes", "tests", "tools/compare"}) {
    for (const fs::path& file : recipes_below(fs::path(KNEAD_ROOT) / folder))
      written += is_written_well(file.filename().string(), {}, world_at(file.parent_path()));
  }
  CHECK(written > 100);
}

TEST_CASE("so is one with any key set, with all sets or only one to train on") {
  const fs::path folder = fs::path(KNEAD_ROOT) / "recipes";
  World world = world_at(folder);
  world.files.exists = [](const fs::path&) { return true; };
  std::set<std::string> tried;
  std::set<const Key*> seen;
  const Texts one_set{"data.validation=null", "data.test=null", "early_stopping=null",
                      "evaluate=null", "expect=null"};
  for (const Listed& listed : every_key(recipe_type())) {
    if (listed.key->example.empty()) continue;
    const std::string change = override_with(listed);
    // A key of another block of the same type is written by the same code: one recipe is enough.
    const bool is_first = seen.insert(listed.key).second;
    for (const char* recipe : {"digits.yaml", "gpt.yaml"}) {
      for (const Texts& others : {Texts{}, one_set}) {
        if (!is_first && (recipe != std::string_view("digits.yaml") || !others.empty())) continue;
        Texts overrides = others;
        overrides.push_back(change);
        if (is_written_well(recipe, overrides, world)) tried.insert(listed.path() + listed.kind);
      }
    }
  }
  CHECK(tried.size() > 250);
}
