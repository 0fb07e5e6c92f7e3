#include "schema/rules/set_fields.h"

#include <fmt/format.h>

namespace knead::schema {

std::string under(const std::string& set, const char* key) {
  return fmt::format("{}.{}", set, key);
}

std::optional<std::vector<std::string_view>> field_names(const RuleView& recipe,
                                                         std::string_view set) {
  const std::string type = recipe.text(fmt::format("{}.type", set));
  if (type == "mix") return field_names(recipe, fmt::format("{}.of.0", set));
  // The fields of these types are fixed.
  if (type == "text" || type == "tokens") return std::vector<std::string_view>{"tokens", "targets"};
  if (type == "images") return std::vector<std::string_view>{"image", "label"};
  // A set without fields is reported by columns_fit_fields(), not by each rule that names a field.
  const Node* fields = recipe.find(fmt::format("{}.fields", set));
  if (!fields || fields->entries.empty()) return std::nullopt;
  std::vector<std::string_view> names;
  for (const Entry& field : fields->entries) names.push_back(field.key);
  return names;
}

std::vector<std::string> parts_of(const RuleView& recipe, const std::string& set) {
  const Node* of = recipe.text(set + ".type") == "mix" ? recipe.find(set + ".of") : nullptr;
  if (!of) return {set};
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < of->items.size(); ++i)
    parts.push_back(fmt::format("{}.of.{}", set, i));
  return parts;
}

std::vector<std::string> all_sets(const RuleView& recipe) {
  std::vector<std::string> all;
  for (const std::string set : {"data.train", "data.validation", "data.test"}) {
    const std::vector<std::string> parts = parts_of(recipe, set);
    if (parts != std::vector{set}) all.push_back(set);
    all.insert(all.end(), parts.begin(), parts.end());
  }
  return all;
}

std::string samples_like(const RuleView& recipe, const std::string& set) {
  const std::vector<std::string> parts = parts_of(recipe, set);
  return parts.empty() ? set : parts.front();
}

}  // namespace knead::schema
