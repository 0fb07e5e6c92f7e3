#include "schema/rules/rule_view.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "schema/document/yaml_text.h"
#include "schema/table/catalog.h"
#include "schema/table/read.h"
#include "schema/table/table.h"

namespace knead::schema {
namespace {

/// Returns whether a value equals the default of its key; a block does if all of its keys do.
bool is_as_by_default(const Node& node, const Key& key) {
  if (key.type->shape == Shape::block) {
    return std::all_of(key.type->keys.begin(), key.type->keys.end(), [&](const Key& inner) {
      const Node* value = node.find(inner.name);
      if (!value) return !inner.has_default;
      return !value->is_default && is_as_by_default(*value, inner);
    });
  }
  if (!key.has_default) return false;
  // Numbers are compared by value, because the schema may write 1e-4 and a recipe 0.0001.
  if (node.kind == Node::Kind::integer || node.kind == Node::Kind::number)
    return node.number == std::stod(std::string(key.default_value));
  return flow_as_yaml(node) == key.default_value;
}

/// Splits a path into the name of the key and the path of its block.
std::pair<std::string_view, std::string_view> split(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  if (dot == path.npos) return {path, ""};
  return {path.substr(dot + 1), path.substr(0, dot)};
}

/// Adds the written quantities at and below the value at a dotted path.
void collect_quantities(const Node& node, const Type& type, const std::string& path,
                        std::vector<WrittenQuantity>& all) {
  if (node.is_default || node.is_null()) return;
  if (type.shape == Shape::quantity) {
    all.push_back({path, {}, node.place});
    read(node, all.back().quantity);
    return;
  }
  const Type* block = block_of(&type, node);
  const auto descend = [&](const Node& value, const std::string& name) {
    const Type* below = block ? type_of_child(*block, name) : nullptr;
    if (below) collect_quantities(value, *below, path.empty() ? name : path + "." + name, all);
  };
  for (const Entry& entry : node.entries) descend(entry.value, entry.key);
  for (std::size_t i = 0; i < node.items.size(); ++i) descend(node.items[i], std::to_string(i));
}

std::tuple<std::string, const Source*, std::size_t> identity(const Problem& problem) {
  return {problem.code, problem.place.source.get(), problem.place.begin};
}

}  // namespace

RuleView::RuleView(const Checked& recipe, Problems& problems)
    : recipe_(recipe), problems_(problems) {
  for (const Problem& problem : problems) reported_.insert(identity(problem));
}

const Node* RuleView::find(std::string_view path) const {
  assert(type_at(recipe_type(), path));
  const Node* node = recipe_.is_certain(path) ? find_path(recipe_.tree, path) : nullptr;
  return node && !node->is_null() ? node : nullptr;
}

const Node* RuleView::written(std::string_view path) const {
  const Node* node = find(path);
  return node && !node->is_default ? node : nullptr;
}

const Node* RuleView::meant(std::string_view path) const {
  const auto [name, block] = split(path);
  const Key* key = find_key(block.empty() ? recipe_type() : *type_at(recipe_type(), block), name);
  const Node* node = written(path);
  return node && !is_as_by_default(*node, *key) ? node : nullptr;
}

bool RuleView::is_absent(std::string_view path) const {
  return recipe_.is_certain(path) && !find(path);
}

Place RuleView::removed_place(std::string_view path) const {
  const auto found = recipe_.removed.find(path);
  return found == recipe_.removed.end() ? Place{} : found->second;
}

std::optional<double> RuleView::number(std::string_view path) const {
  const Node* node = find(path);
  return node ? std::optional<double>(node->number) : std::nullopt;
}

std::optional<Quantity> RuleView::quantity(std::string_view path) const {
  const Node* node = find(path);
  if (!node) return std::nullopt;
  Quantity quantity;
  read(*node, quantity);
  return quantity;
}

std::vector<WrittenQuantity> RuleView::written_quantities() const {
  std::vector<WrittenQuantity> all;
  collect_quantities(recipe_.tree, recipe_type(), "", all);
  std::erase_if(all, [&](const WrittenQuantity& one) { return !recipe_.is_certain(one.path); });
  return all;
}

std::string RuleView::text(std::string_view path) const {
  const Node* node = find(path);
  return node ? node->text : "";
}

Place RuleView::key_place(std::string_view path) const {
  while (true) {
    const Place place = own_place(path);
    const std::size_t dot = path.rfind('.');
    if (place || dot == path.npos) return place;
    path = path.substr(0, dot);
  }
}

Place RuleView::own_place(std::string_view path) const {
  const std::size_t dot = path.rfind('.');
  const Node* block =
      dot == path.npos ? &recipe_.tree : find_path(recipe_.tree, path.substr(0, dot));
  const std::string_view name = dot == path.npos ? path : path.substr(dot + 1);
  if (block && block->is_list()) {
    const Node* item = find_path(*block, name);
    return item ? item->place : Place{};
  }
  const Entry* entry = block ? block->entry(name) : nullptr;
  return entry ? entry->place : Place{};
}

std::string RuleView::where(std::string_view path) const {
  const Place place = own_place(path);
  if (!place) return "the default";
  if (!place.source->is_file()) return fmt::format("override {}", place.line());
  const bool elsewhere = place.source != recipe_.tree.place.source;
  return elsewhere ? fmt::format("{} line {}", place.source->name(), place.line())
                   : fmt::format("line {}", place.line());
}

std::string RuleView::reference(std::string_view path) const {
  return fmt::format("{} ({})", path, where(path));
}

std::string RuleView::shown_path(const Node& node) const {
  const Source& source = *node.place.source;
  const std::filesystem::path path = node.text;
  const std::filesystem::path from =
      source.is_file() ? source.path().parent_path().string() : recipe_.home;
  const std::string relative = path.lexically_relative(from).string();
  // The shorter of both forms is shown.
  return relative.empty() || relative.size() >= path.string().size() ? path.string() : relative;
}

bool say_the_same(const Node& a, const Node& b) { return flow_as_yaml(a) == flow_as_yaml(b); }

void RuleView::error(std::string code, const Place& place, std::string message,
                     std::string hint) const {
  report({std::move(code), place, std::move(message), std::move(hint)});
}

void RuleView::warning(std::string code, const Place& place, std::string message,
                       std::string hint) const {
  report({std::move(code), place, std::move(message), std::move(hint), Severity::warning});
}

void RuleView::report(Problem problem) const {
  assert(problem.place);
  // In a release build a problem without a place is still shown, at the beginning of the file.
  if (!problem.place) problem.place = {recipe_.tree.place.source, 0, 1};
  // A set that copies another by `like` repeats its mistakes, at the places of the other set.
  if (reported_.insert(identity(problem)).second) problems_.push_back(std::move(problem));
}

}  // namespace knead::schema
