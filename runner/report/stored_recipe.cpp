#include "runner/report/stored_recipe.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "schema/document/parse.h"
#include "schema/document/yaml_text.h"

namespace knead::report {
namespace {

/// Returns the comment behind a value, without its '#'.
std::string origin_of(const schema::Node& node) {
  if (!node.place) return "";
  const std::string& text = node.place.source->text();
  const std::size_t line_end = std::min(text.find('\n', node.place.end), text.size());
  const std::string_view rest =
      std::string_view(text).substr(node.place.end, line_end - node.place.end);
  const std::size_t mark = rest.find("# ");
  return mark == rest.npos ? "" : std::string(rest.substr(mark + 2));
}

bool has_blocks(const schema::Node& list) {
  return std::any_of(list.items.begin(), list.items.end(),
                     [](const schema::Node& item) { return !item.is_scalar(); });
}

void add_keys(const std::string& path, const schema::Node& node, std::vector<RecipeKey>& keys) {
  const std::string prefix = path.empty() ? "" : path + ".";
  if (node.is_map()) {
    for (const schema::Entry& entry : node.entries) add_keys(prefix + entry.key, entry.value, keys);
  } else if (node.is_list() && has_blocks(node)) {
    for (std::size_t i = 0; i < node.items.size(); ++i)
      add_keys(fmt::format("{}{}", prefix, i), node.items[i], keys);
  } else if (!path.empty()) {
    const bool is_text = node.kind == schema::Node::Kind::text;
    keys.push_back({path, is_text ? node.text : schema::flow_as_yaml(node), origin_of(node)});
  }
}

}  // namespace

std::string StoredRecipe::value(std::string_view path) const {
  for (const RecipeKey& key : keys)
    if (key.path == path) return key.value;
  return "";
}

plan::Objective StoredRecipe::monitor() const {
  const schema::Node* monitor = schema::find_path(tree, "evaluate.monitor");
  return plan::objective(monitor ? monitor->text : "", tree);
}

StoredRecipe stored_recipe(std::string text) {
  StoredRecipe recipe;
  recipe.text = std::move(text);
  const auto source = std::make_shared<const schema::Source>("resolved.yaml", "", recipe.text);
  schema::Problems ignored;
  if (schema::check_bytes(source)) return recipe;
  auto tree = schema::parse_yaml(source, ignored);
  if (!tree) return recipe;
  recipe.tree = std::move(*tree);
  add_keys("", recipe.tree, recipe.keys);
  return recipe;
}

std::vector<Difference> differences(const std::vector<const StoredRecipe*>& recipes) {
  std::vector<Difference> all;
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < recipes.size(); ++i) {
    for (const RecipeKey& key : recipes[i]->keys) {
      if (key.path == "name" || key.path == "output") continue;
      const auto [place, is_new] = places.emplace(key.path, all.size());
      if (is_new) all.push_back({key.path, std::vector<std::string>(recipes.size())});
      all[place->second].values[i] = key.value;
    }
  }
  std::erase_if(all, [](const Difference& each) {
    return std::all_of(each.values.begin(), each.values.end(),
                       [&](const std::string& value) { return value == each.values.front(); });
  });
  return all;
}

}  // namespace knead::report
