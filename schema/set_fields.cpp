#include "schema/set_fields.h"

#include <fmt/format.h>

namespace knead::schema {

std::optional<std::vector<std::string_view>> field_names(const RuleView& recipe,
                                                         std::string_view set) {
  const std::string type = recipe.text(fmt::format("{}.type", set));
  if (type == "text" || type == "tokens") return std::vector<std::string_view>{"tokens", "targets"};
  if (type == "images") return std::vector<std::string_view>{"image", "label"};
  const Node* fields = recipe.find(fmt::format("{}.fields", set));
  if (!fields || fields->entries.empty()) return std::nullopt;
  std::vector<std::string_view> names;
  for (const Entry& field : fields->entries) names.push_back(field.key);
  return names;
}

}  // namespace knead::schema
