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
#include "tools/schemagen/groups.h"
#include "tools/schemagen/peers.h"

namespace knead::schemagen {
namespace {

using schema::Entry;
using schema::Node;

constexpr std::string_view kPeers = "peers.yaml";

Node parse_file(const std::filesystem::path& path) {
  const auto source = std::make_shared<schema::Source>(path.string(), path, read_file(path));
  schema::Problems problems;
  auto document = schema::parse_yaml(source, problems);
  if (!problems.empty()) throw schema::InvalidRecipe(problems);
  return std::move(*document);
}

Node parse_block(const std::filesystem::path& path) {
  Node block = parse_file(path);
  refuse_peer_names(block);
  return block;
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
  Node document = parse_block(files.front());
  Node peers;
  for (auto file = std::next(files.begin()); file != files.end(); ++file) {
    if (file->filename() == kPeers) {
      peers = parse_file(*file);
      continue;
    }
    Node definitions = parse_block(*file);
    if (!document.find("$defs")) {
      Node none = schema::without_children(definitions);
      document.entries.push_back({"$defs", none.place, none});
    }
    take_definitions(definitions, *document.find("$defs"));
  }
  add_peer_names(peers, document);
  derive_groups(document);
  return document;
}

std::vector<std::string> blocks_of(const std::vector<std::filesystem::path>& files) {
  std::vector<std::string> blocks;
  for (auto file = std::next(files.begin()); file != files.end(); ++file) {
    if (file->filename() != kPeers) blocks.push_back(file->stem().string());
  }
  return blocks;
}

}  // namespace knead::schemagen
