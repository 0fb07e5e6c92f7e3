#include "schema/check.h"

#include <fmt/format.h>

#include "schema/document/error.h"
#include "schema/document/parse.h"
#include "schema/merge/like.h"
#include "schema/merge/overrides.h"
#include "schema/rules/rules.h"
#include "schema/validate/validate.h"

namespace knead::schema {
namespace {

/// Opens the recipe file. Reports a file that cannot be read and returns null.
std::shared_ptr<const Source> open_recipe(const std::string& file, const World& world,
                                          Problems& problems) {
  const std::filesystem::path path = (world.home / file).lexically_normal();
  const auto fail = [&](std::string message, std::string hint) {
    const auto nothing = std::make_shared<Source>(file, path, "");
    problems.push_back({"missing-file", Place{nothing, 0, 0}, std::move(message), std::move(hint)});
    return nullptr;
  };
  if (file.empty()) return fail("the file name is empty", "");
  try {
    return std::make_shared<Source>(file, path, world.files.read(path));
  } catch (const Error& error) {
    // A user who forgets '=VALUE' gives a key where the file is expected.
    const bool is_key = error.remedy().empty() && type_at(recipe_type(), file);
    const std::string hint = fmt::format("to change this key, write {}=VALUE", file);
    const bool is_folder = !error.remedy().empty();
    if (!is_folder && !world.files.exists(path))
      return fail("there is no such file", is_key ? hint : "");
    return fail(fmt::format("the recipe {}", error.what()), error.remedy());
  }
}

}  // namespace

std::optional<Node> read_tree(const std::string& file, const std::vector<std::string>& overrides,
                              const World& world, Problems& problems) {
  const std::shared_ptr<const Source> source = open_recipe(file, world, problems);
  if (!source) return std::nullopt;
  std::optional<Node> tree =
      read_recipe_tree(source, recipe_type(), world.files, world.environment, problems);
  if (!tree) return std::nullopt;
  // Arguments come before `like`, so that a set takes the keys of another as they are overridden,
  // and before the environment, so that arguments may hold references.
  apply_overrides(*tree, recipe_type(), overrides, problems);
  // Problems of the whole recipe are shown at the beginning of the main file.
  tree->place = {source, 0, 1};
  return tree;
}

Checked check_tree(Node tree, const World& world, Problems& problems) {
  expand_like(tree, recipe_type(), problems);
  // The parser counts each file alone; merging and copying sets can exceed the limit again.
  if (count_nodes(tree) > kMostNodes) {
    problems.push_back({"too-large", tree.place,
                        fmt::format("more than {} values after 'extends' and 'like'", kMostNodes),
                        ""});
    return {};
  }
  // Keys that begin with `x-` belong to the user: they are neither expanded nor checked.
  std::erase_if(tree.entries, [](const Entry& entry) { return entry.key.starts_with("x-"); });
  expand_environment(tree, world.environment, problems);
  Checked checked = validate(tree, recipe_type(), world.home.string(), problems);
  // Only the first kMostProblems unknown keys make the keys doubtful that they may stand for, so
  // rules would report mistakes again. Warnings make no key doubtful.
  if (count(problems, Severity::error) < kMostProblems) check_rules(checked, world.files, problems);
  return checked;
}

Understood understand(Checked checked, Problems problems) {
  tidy(problems);
  if (count(problems, Severity::error) > 0) throw InvalidRecipe(std::move(problems));
  // Every value that validation leaves out of the tree must have been reported.
  if (!checked.tree.is_map() || !checked.doubtful.empty()) {
    throw std::logic_error("a recipe without problems has gaps");
  }
  Understood understood;
  recipe::read(checked.tree, understood.recipe);
  understood.tree = std::move(checked.tree);
  understood.warnings = std::move(problems);
  return understood;
}

}  // namespace knead::schema
