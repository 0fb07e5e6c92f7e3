#include "schema/rule_view.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "schema/read.h"

namespace knead::schema {

const Node* RuleView::find(std::string_view path) const {
  assert(type_at(recipe_type(), path));
  const Node* node = recipe_.is_certain(path) ? find_path(recipe_.tree, path) : nullptr;
  return node && !node->is_null() ? node : nullptr;
}

const Node* RuleView::written(std::string_view path) const {
  const Node* node = find(path);
  return node && !node->is_default ? node : nullptr;
}

bool RuleView::is_absent(std::string_view path) const {
  return recipe_.is_certain(path) && !find(path);
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

std::string RuleView::text(std::string_view path) const {
  const Node* node = find(path);
  return node ? node->text : "";
}

Place RuleView::key_place(std::string_view path) const {
  const std::size_t dot = path.rfind('.');
  const Node* block =
      dot == path.npos ? &recipe_.tree : find_path(recipe_.tree, path.substr(0, dot));
  const std::string_view name = dot == path.npos ? path : path.substr(dot + 1);
  if (block && block->is_list()) return find_path(*block, name)->place;
  const Entry* entry = block ? block->entry(name) : nullptr;
  return entry ? entry->place : Place{};
}

std::string RuleView::where(std::string_view path) const {
  const Place place = key_place(path);
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
  return relative.empty() || relative.size() >= path.string().size() ? path.string() : relative;
}

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
  if (!problem.place) problem.place = {recipe_.tree.place.source, 0, 1};
  // A set that is like another has the other's mistakes, at the other's places.
  const bool known = std::any_of(problems_.begin(), problems_.end(), [&](const Problem& other) {
    return other.code == problem.code && other.place == problem.place;
  });
  if (!known) problems_.push_back(std::move(problem));
}

}  // namespace knead::schema
