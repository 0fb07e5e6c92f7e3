#include "schema/document/json_text.h"

namespace knead::schema {
namespace {

// Paths and names that a user gives need not be UTF-8, and must not end a run.
template <class Json>
std::string replaced_text(const Json& value, int indent) {
  return value.dump(indent, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

}  // namespace

nlohmann::json parse_json(std::string_view text) { return nlohmann::json::parse(text); }

std::string json_text(const nlohmann::json& value, int indent) {
  return replaced_text(value, indent);
}

std::string json_text(const nlohmann::ordered_json& value, int indent) {
  return replaced_text(value, indent);
}

}  // namespace knead::schema
