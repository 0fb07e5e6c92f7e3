#include "schema/rules/swept_value.h"

#include "schema/document/yaml_text.h"

namespace knead::schema {

std::string shortened(const Node& value) {
  constexpr std::size_t kMost = 40;
  const std::string text = value.reference.empty() ? flow_as_yaml(value) : value.reference;
  if (text.size() <= kMost) return text;
  std::size_t end = kMost;
  while (!begins_code_point(text[end])) --end;
  return text.substr(0, end) + "…";
}

}  // namespace knead::schema
