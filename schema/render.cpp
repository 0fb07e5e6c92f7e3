#include "schema/render.h"

#include <algorithm>

#include <fmt/format.h>

#include "schema/document/yaml_text.h"
#include "schema/table/catalog.h"
#include "schema/table/table.h"

namespace knead::schema {
namespace {

bool is_simple(const Node& node) {
  return node.is_scalar() ||
         (node.is_list() && std::all_of(node.items.begin(), node.items.end(),
                                        [](const Node& item) { return item.is_scalar(); }));
}

class Renderer {
 public:
  explicit Renderer(bool origin) : origin_(origin) {}

  std::string run(const Node& tree) {
    block(tree, &recipe_type(), 0);
    return std::move(out_);
  }

 private:
  void block(const Node& node, const Type* type, int depth) {
    type = block_of(type, node);
    for (const Entry& entry : node.entries) {
      indent(depth);
      out_ += text_as_yaml(entry.key) + ":";
      value(entry.value, type ? type_of_child(*type, entry.key) : nullptr, depth);
    }
    if (origin_ && type && type->shape == Shape::block) computed_defaults(node, *type, depth);
  }

  void value(const Node& node, const Type* type, int depth) {
    const bool is_empty = node.items.empty() && node.entries.empty();
    if (is_simple(node) || is_empty) {
      line(" " + flow_as_yaml(node), node);
    } else if (node.is_map()) {
      out_ += "\n";
      block(node, type, depth + 1);
    } else {
      out_ += "\n";
      items(node, type, depth + 1);
    }
  }

  void items(const Node& list, const Type* type, int depth) {
    for (const Node& item : list.items) {
      indent(depth);
      out_ += "-";
      if (!item.is_map() || item.entries.empty()) {
        line(" " + flow_as_yaml(item), item);
        continue;
      }
      // block() indents every key; the indentation of the first one is replaced, because it follows
      // the dash.
      const std::size_t from = out_.size();
      block(item, type && type->items ? type->items : nullptr, depth + 1);
      out_.replace(from, static_cast<std::size_t>(2 * depth + 2), " ");
    }
  }

  void line(const std::string& text, const Node& node) {
    out_ += text;
    if (origin_) out_ += fmt::format("  # {}", origin_in_words(node));
    out_ += "\n";
  }

  void indent(int depth) { out_.append(static_cast<std::size_t>(2 * depth), ' '); }

  void computed_defaults(const Node& node, const Type& type, int depth) {
    for (const Key& key : type.keys) {
      if (key.computed_default.empty() || node.find(key.name)) continue;
      indent(depth);
      out_ += fmt::format("# {}: {}\n", key.name, key.computed_default);
    }
  }

  bool origin_;
  std::string out_;
};

}  // namespace

std::string origin_in_words(const Node& node) {
  if (node.is_default || !node.place) return "default";
  const Source& source = *node.place.source;
  std::string where =
      source.is_file() ? to_string(node.place) : fmt::format("override '{}'", source.text());
  if (!node.reference.empty()) where = fmt::format("{} at {}", node.reference, where);
  if (node.anchor) where += fmt::format(", alias of {}", to_string(node.anchor));
  // The text becomes a comment: a line end in an argument or a file name must not end it.
  std::replace_if(
      where.begin(), where.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, '?');
  return where;
}

std::string render(const Node& tree, bool origin) { return Renderer(origin).run(tree); }

}  // namespace knead::schema
