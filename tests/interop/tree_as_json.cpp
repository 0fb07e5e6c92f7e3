// tree_as_json FILE: the tree that the document layer reads from a YAML file, as JSON, for other
// YAML readers to compare with. Exit code 2 with the problems where the file is refused.

#include <cstdio>
#include <fstream>
#include <sstream>

#include <nlohmann/json.hpp>

#include "schema/document/node_json.h"
#include "schema/document/parse.h"
#include "schema/document/problem_text.h"

int main(int, char** argv) {
  using namespace knead::schema;
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
