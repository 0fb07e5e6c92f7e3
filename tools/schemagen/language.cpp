#include "tools/schemagen/language.h"

#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "schema/document/parse.h"
#include "schema/document/problem.h"
#include "tools/schemagen/dialect.h"

namespace knead::schemagen {
namespace {

using schema::Entry;
using schema::Node;

Node parse_file(const std::filesystem::path& path) {
  const auto source = std::make_shared<schema::Source>(path.string(), path, read_file(path));
  schema::Problems problems;
  auto document = schema::parse_yaml(source, problems);
  if (!problems.empty()) throw schema::InvalidRecipe(problems);
  return std::move(*document);
}

/// Moves the definitions of `file` to `all`.
void take_definitions(Node& file, Node& all) {
  for (Entry& entry : file.entries) {
    if (entry.key != "$defs")
      refuse(entry.place, fmt::format("'{}' belongs to the recipe, in the first file", entry.key));
    for (Entry& definition : entry.value.entries) {
      if (const Entry* first = all.entry(definition.key)) {
        refuse(definition.place, fmt::format("'{}' is declared at {} already", definition.key,
                                             schema::to_string(first->place)));
      }
      all.entries.push_back(std::move(definition));
    }
  }
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

Node read_language(const std::vector<std::filesystem::path>& files) {
  Node document = parse_file(files.front());
  for (auto file = std::next(files.begin()); file != files.end(); ++file) {
    Node definitions = parse_file(*file);
    if (!document.find("$defs")) {
      Node none = schema::without_children(definitions);
      document.entries.push_back({"$defs", none.place, none});
    }
    take_definitions(definitions, *document.find("$defs"));
  }
  return document;
}

}  // namespace knead::schemagen
