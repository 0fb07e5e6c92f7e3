#include "runner/peers/references.h"

#include <optional>
#include <string>

#include "schema/document/scalar.h"

namespace knead::peers {
namespace {

using schema::Node;

constexpr int kMostRounds = 8;  // bounds chains of references and ends cycles

/// A reference in a text: its bytes [begin, end) and its key.
struct Reference {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string key;
};

std::optional<Reference> first_reference(const std::string& text, std::size_t from) {
  const std::size_t begin = text.find("${", from);
  if (begin == text.npos) return std::nullopt;
  const std::size_t end = text.find('}', begin);
  if (end == text.npos) return std::nullopt;
  return Reference{begin, end + 1, text.substr(begin + 2, end - begin - 2)};
}

/// Replaces the references in one text. A text that is a single reference takes the type of the
/// value; in a longer text the value is inserted. Returns whether anything changed.
bool replace(Node& node, const Node& root, std::set<std::string>& named) {
  bool is_new = false;
  std::size_t at = 0;
  while (const std::optional<Reference> found = first_reference(node.text, at)) {
    const Node* value = find_path(root, found->key);
    if (value) named.insert(found->key);
    const bool is_all = found->begin == 0 && found->end == node.text.size();
    if (!value || !value->is_scalar() || value->text.find("${") != std::string::npos) {
      at = found->end;
      continue;
    }
    if (is_all) {
      const schema::Place place = node.place;
      node = *value;
      node.place = place;
      return true;
    }
    node.text.replace(found->begin, found->end - found->begin, value->text);
    at = found->begin + value->text.size();
    is_new = true;
  }
  return is_new;
}

/// Replaces the references in a tree. Returns whether anything changed.
bool replace_below(Node& node, const Node& root, std::set<std::string>& named) {
  bool is_new = false;
  for (Node& item : node.items) is_new = replace_below(item, root, named) || is_new;
  for (schema::Entry& entry : node.entries)
    is_new = replace_below(entry.value, root, named) || is_new;
  return node.kind == Node::Kind::text ? replace(node, root, named) || is_new : is_new;
}

}  // namespace

std::set<std::string> resolve_references(Node& root) {
  std::set<std::string> named;
  for (int round = 0; round < kMostRounds; ++round) {
    // Values come from a copy, because the tree changes while it is walked.
    const Node before = root;
    if (!replace_below(root, before, named)) break;
  }
  return named;
}

}  // namespace knead::peers
