#include "schema/rule_view.h"

#include <cassert>

#include <fmt/format.h>

#include "schema/read.h"

namespace knead::schema {

const Node* RuleView::find(std::string_view path) const {
  assert(type_at(recipe_type(), path));
  return recipe_.is_certain(path) ? find_path(recipe_.tree, path) : nullptr;
}

const Node* RuleView::written(std::string_view path) const {
  const Node* node = find(path);
  return node && !node->is_default ? node : nullptr;
}

bool RuleView::is_absent(std::string_view path) const {
  return recipe_.is_certain(path) && !find_path(recipe_.tree, path);
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
  const Node* block = dot == path.npos ? &recipe_.tree : find_path(recipe_.tree, path.substr(0, dot));
  const std::string_view name = dot == path.npos ? path : path.substr(dot + 1);
  if (block && block->is_list()) return find_path(*block, name)->place;
  const Entry* entry = block ? block->entry(name) : nullptr;
  return entry ? entry->place : Place{};
}

std::string RuleView::reference(std::string_view path) const {
  const Place place = key_place(path);
  if (!place) return fmt::format("{} (the default)", path);
  return fmt::format("{} ({} {})", path, place.source->is_file() ? "line" : "override", place.line());
}

void RuleView::error(std::string code, const Place& place, std::string message, std::string hint) const {
  assert(place);
  problems_.push_back({std::move(code), place, std::move(message), std::move(hint)});
}

void RuleView::warning(std::string code, const Place& place, std::string message, std::string hint) const {
  assert(place);
  problems_.push_back({std::move(code), place, std::move(message), std::move(hint), Severity::warning});
}

}  // namespace knead::schema
