#include "schema/document/json_text.h"

namespace knead::schema {

nlohmann::json parse_json(std::string_view text) { return nlohmann::json::parse(text); }

std::optional<nlohmann::json> parse_json_or_none(std::string_view text) {
  nlohmann::json value = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (value.is_discarded()) return std::nullopt;
  return value;
}

std::string json_text(const nlohmann::json& value, int indent) { return value.dump(indent); }

std::string json_text(const nlohmann::ordered_json& value, int indent) {
  return value.dump(indent);
}

std::string readable_json_text(const nlohmann::ordered_json& value, int indent) {
  constexpr auto kReplace = nlohmann::ordered_json::error_handler_t::replace;
  return value.dump(indent, ' ', /*ensure_ascii=*/false, kReplace);
}

}  // namespace knead::schema
