#include "schema/document/node_json.h"

#include <nlohmann/json.hpp>

namespace knead::schema {

nlohmann::ordered_json as_json(const Node& node) {
  using Json = nlohmann::ordered_json;
  switch (node.kind) {
    case Node::Kind::null: return nullptr;
    case Node::Kind::boolean: return node.boolean;
    case Node::Kind::integer: return node.integer;
    case Node::Kind::number: return node.number;
    case Node::Kind::text: return node.text;
    case Node::Kind::list: {
      Json list = Json::array();
      for (const Node& item : node.items) list.push_back(as_json(item));
      return list;
    }
    case Node::Kind::map: break;
  }
  Json map = Json::object();
  for (const Entry& entry : node.entries) map[entry.key] = as_json(entry.value);
  return map;
}

}  // namespace knead::schema
