#include "schema/document/tag.h"

#include <fmt/format.h>

#include "schema/document/scalar.h"
#include "schema/document/token.h"

namespace knead::schema {
namespace {

constexpr std::string_view kCore = "tag:yaml.org,2002:";

Problem unknown_tag(const std::string& tag, const Place& place) {
  return {"unknown-tag", place, fmt::format("unknown tag '{}'", tag),
          "recipes know !!str !!int !!float !!bool !!null !!map !!seq"};
}

Problem bad_number(const Node& node, std::string message) {
  if (!has_leading_zero(node.text)) return {"out-of-range", node.place, std::move(message), ""};
  return {"leading-zero", node.place, std::move(message),
          fmt::format("write {} for the number, \"{}\" for the text",
                      without_leading_zeros(node.text), node.text)};
}

/// Returns whether a node has the kind that a core tag names.
bool has_type(const Node& node, std::string_view type) {
  return (type == "int" && node.kind == Node::Kind::integer) ||
         (type == "float" && node.kind == Node::Kind::number) ||
         (type == "bool" && node.kind == Node::Kind::boolean) ||
         (type == "null" && node.kind == Node::Kind::null);
}

}  // namespace

std::optional<Problem> resolve_by_tag(Node& node, const std::string& tag) {
  const bool is_core = tag.starts_with(kCore);
  const std::string type = is_core ? tag.substr(kCore.size()) : "";
  // The parser has made the node a text, so nothing remains to be done for one.
  if (tag == "!" || type == "str") return std::nullopt;
  const bool is_known = type == "int" || type == "float" || type == "bool" || type == "null";
  if (tag != "?" && !is_known) return unknown_tag(tag, node.place);
  if (auto wrong = resolve_plain(node)) return bad_number(node, std::move(*wrong));
  if (tag == "?") return std::nullopt;
  // The tag overrides the quotes, and YAML takes an integer's notation for a !!float.
  node.plain = true;
  if (type == "float" && node.kind == Node::Kind::integer) node.kind = Node::Kind::number;
  if (has_type(node, type)) return std::nullopt;
  return Problem{"wrong-type", node.place, fmt::format("'{}' is not of type !!{}", node.text, type),
                 ""};
}

std::optional<Problem> check_collection_tag(const Node& node, const std::string& tag) {
  const std::string own = fmt::format("{}{}", kCore, node.is_map() ? "map" : "seq");
  if (tag == "?" || tag == "!" || tag == own) return std::nullopt;
  return unknown_tag(tag, node.place);
}

}  // namespace knead::schema
