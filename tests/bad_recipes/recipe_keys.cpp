#include "tests/bad_recipes/recipe_keys.h"

#include "schema/document/parse.h"

namespace knead::tests {

using namespace schema;

namespace {

std::size_t after_closing_bracket(std::string_view text, std::size_t at) {
  int open = 0;
  for (char quote = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '{' || c == '[') {
      ++open;
    } else if ((c == '}' || c == ']') && --open == 0) {
      return at + 1;
    }
  }
  return at;
}

/// The byte behind a text of several lines: all that are indented deeper than its key.
std::size_t after_block_scalar(const std::string& text, std::size_t at) {
  const auto indentation = [&](std::size_t line) {
    return text.find_first_not_of(' ', line) - line;
  };
  const std::size_t least = indentation(text.rfind('\n', at) + 1) + 1;
  std::size_t end = text.find('\n', at);
  while (end + 1 < text.size() && (text[end + 1] == '\n' || indentation(end + 1) >= least))
    end = text.find('\n', end + 1);
  return text.find_last_not_of('\n', end) + 1;
}

/// Of the blocks that a type stands for, the one that is meant: by its `type`, or by that of the
/// set it is like.
const Type* meant_block(const Type& type, const Node& node, const Node* siblings) {
  if (type.shape != Shape::kinds) return &type;
  const Node* chosen = node.find("type");
  const Node* like = chosen || !siblings ? nullptr : node.find("like");
  if (like) return meant_block(type, *siblings->find(like->text), siblings);
  return (chosen ? find_kind(type, chosen->text) : &type.kinds[0])->type;
}

}  // namespace

std::size_t end_of(const Node& node) {
  const std::string& text = node.place.source->text();
  const bool is_block_scalar = node.is_scalar() && text[node.place.begin] == '|';
  if (is_block_scalar) return after_block_scalar(text, node.place.begin);
  if (node.is_scalar()) return node.place.end;
  if (text[node.place.begin] == '{' || text[node.place.begin] == '[')
    return after_closing_bracket(text, node.place.begin);
  return end_of(node.is_list() ? node.items.back() : node.entries.back().value);
}

Recipe::Recipe(std::string text)
    : source_(std::make_shared<Source>("recipe", "recipe", std::move(text))) {
  Problems none;
  root_ = *parse_yaml(source_, none);
  collect(root_, recipe_type(), "", {}, nullptr);
}

std::string Recipe::with(std::size_t begin, std::size_t end, std::string_view instead) const {
  return text().substr(0, begin) + std::string(instead) + text().substr(end);
}

std::pair<std::size_t, std::size_t> Recipe::extent(const WrittenKey& key) const {
  const std::size_t begin = key.entry->place.begin;
  const std::size_t line = begin - column(begin);
  const bool in_lines = text().find_first_not_of(' ', line) == begin;
  if (!key.in_braces && in_lines) return {line, text().find('\n', key.end) + 1};
  if (!key.in_braces) {
    const bool is_alone = key.in->entries.size() == 1;
    return {begin, is_alone ? begin : key.in->entries[1].place.begin};
  }
  if (text()[key.end] == ',') return {begin, text().find_first_not_of(' ', key.end + 1)};
  const bool is_first = text()[begin - 1] == '{';
  return {is_first ? begin : text().rfind(',', begin), key.end};
}

std::size_t Recipe::column(std::size_t at) const {
  return at == 0 ? 0 : at - text().rfind('\n', at - 1) - 1;
}

void Recipe::collect(const Node& node, const Type& written_type, const std::string& path,
                     const Place& key, const Node* siblings) {
  const Type* type = &written_type;
  if (type->shape == Shape::list) type = type->items;
  for (const Node& item : node.items) {
    if (item.is_map()) collect(item, *type, path, item.place, nullptr);
  }
  type = meant_block(*type, node, siblings);
  const Block block{path, type, &node};
  if (type->shape == Shape::block && !node.entries.empty()) blocks_.push_back(block);
  for (const Entry& entry : node.entries) add(entry, block, *type, key);
}

void Recipe::add(const Entry& entry, const Block& block, const Type& type, const Place& block_key) {
  const bool closed = type.shape == Shape::block;
  const Type* value_type =
      closed ? find_key(type, entry.key)->type : type_of_child(type, entry.key);
  if (value_type && value_type->shape == Shape::any) value_type = nullptr;
  const bool in_braces = text()[block.node->place.begin] == '{';
  keys_.push_back({block.path, block.node, block_key, closed ? &type : nullptr, value_type, &entry,
                   end_of(entry.value), in_braces});
  if (!value_type) return collect_names(entry, block.path);
  values_.push_back({value_type, &entry.value, entry.place});
  for (const Node& item : entry.value.items) {
    if (value_type->items) values_.push_back({value_type->items, &item, entry.place});
  }
  const std::string below = block.path.empty() ? entry.key : block.path + "." + entry.key;
  if (!entry.value.is_scalar() && value_type->shape != Shape::either)
    collect(entry.value, *value_type, closed ? below : block.path, entry.place, block.node);
}

/// Names below a key that takes anything: only written twice are they a mistake.
void Recipe::collect_names(const Entry& block, const std::string& path) {
  for (const Entry& entry : block.value.entries) {
    const bool in_braces = text()[block.value.place.begin] == '{';
    keys_.push_back({path, &block.value, block.place, nullptr, nullptr, &entry, end_of(entry.value),
                     in_braces});
    collect_names(entry, path);
  }
}

}  // namespace knead::tests
