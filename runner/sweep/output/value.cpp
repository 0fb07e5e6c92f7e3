#include "runner/sweep/output/value.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "schema/document/node_json.h"
#include "schema/document/parse.h"

namespace knead::sweep {
namespace {

/// Parses a value that knead itself has written, which is a value therefore.
schema::Node parsed_value(const std::string& yaml) {
  schema::Problems none;
  return *schema::parse_yaml(std::make_shared<schema::Source>("a value", "", yaml), none);
}

}  // namespace

nlohmann::ordered_json value_as_json(const std::string& yaml) {
  const schema::Node value = parsed_value(yaml);
  return value.kind == schema::Node::Kind::number ? number_as_json(value.number)
                                                  : schema::as_json(value);
}

std::string value_in_words(const std::string& yaml) {
  const schema::Node value = parsed_value(yaml);
  return value.kind == schema::Node::Kind::text ? value.text : yaml;
}

nlohmann::ordered_json number_as_json(double number) {
  if (std::isfinite(number)) return number;
  return std::isnan(number) ? "NaN" : number > 0 ? "Infinity" : "-Infinity";
}

}  // namespace knead::sweep
