// tree_as_json FILE: the tree that the document layer reads from a YAML file, as JSON, for other
// YAML readers to compare with. Exit code 2 with the problems where the file is refused.

#include <cstdio>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "schema/parse.h"
#include "schema/problem_text.h"

namespace {

using namespace knead::schema;
using Json = nlohmann::ordered_json;

Json as_json(const Node& node) {
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

}  // namespace

int main(int, char** argv) {
  std::ifstream in(argv[1], std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  Problems problems;
  const auto source = std::make_shared<Source>(argv[1], argv[1], text.str());
  const auto tree = parse_yaml(source, problems);
  if (!problems.empty()) {
    std::fputs(to_text(problems).c_str(), stderr);
    return 2;
  }
  std::puts(as_json(*tree).dump().c_str());
  return 0;
}
