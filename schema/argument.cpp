#include <fmt/format.h>

#include "schema/document/yaml_text.h"
#include "schema/table/catalog.h"
#include "schema/table/table.h"
#include "schema/variations.h"

namespace knead::schema {
namespace {

/// A value of a checked tree with its type. Both are null where the tree or the schema ends.
struct Typed {
  const Node* node = nullptr;
  const Type* type = nullptr;

  /// Returns the value under a key, or an item of a list by its number.
  Typed child(const std::string& name) const {
    if (!node || !type) return {};
    const Type* block = block_of(type, *node);
    return {node->is_list() ? find_path(*node, name) : node->find(name),
            block ? type_of_child(*block, name) : nullptr};
  }

  /// Returns the value that a bare one stands for: the key of a block, the only item of a list.
  Typed bare() const {
    Typed here = *this;
    while (here.node && here.type && !here.node->is_scalar()) {
      here =
          here.node->is_list() ? here.child("0") : here.child(std::string(here.type->scalar_key));
    }
    return here;
  }
};

std::string scalar(const Node& written, const Typed& checked) {
  const bool is_path = checked.type && checked.type->format == Format::path && checked.node;
  if (is_path && written.kind != Node::Kind::null && !checked.node->secret)
    return text_as_yaml(checked.node->text);
  return written.reference.empty() ? scalar_as_yaml(written) : word_as_yaml(written.reference);
}

/// Writes a value in one line. `checked` is what validation made of it.
std::string value(const Node& written, const Typed& checked) {
  if (written.is_scalar()) return scalar(written, checked.bare());
  std::string out;
  for (std::size_t i = 0; i < written.items.size(); ++i) {
    // A list may stand for the one key of a block.
    const Typed list = checked.node && checked.node->is_map() && checked.type
                           ? checked.child(std::string(checked.type->scalar_key))
                           : checked;
    out += (i == 0 ? "" : ", ") + value(written.items[i], list.child(std::to_string(i)));
  }
  for (const Entry& entry : written.entries) {
    // A map may be the one item of a list.
    const Typed map = checked.node && checked.node->is_list() ? checked.child("0") : checked;
    out += (out.empty() ? "" : ", ") + word_as_yaml(entry.key) + ": " +
           value(entry.value, map.child(entry.key));
  }
  return written.is_list() ? "[" + out + "]" : "{" + out + "}";
}

}  // namespace

std::string as_argument(const Assignment& assignment, const Node& tree) {
  Typed here{&tree, &recipe_type()};
  std::string_view path = assignment.key;
  while (!path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    here = here.child(std::string(path.substr(0, dot)));
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return fmt::format("{}={}", assignment.key, value(assignment.value, here));
}

}  // namespace knead::schema
