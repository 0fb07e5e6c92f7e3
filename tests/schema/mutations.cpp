#include "tests/schema/mutations.h"

#include <fmt/format.h>

#include "schema/document/parse.h"
#include "schema/document/yaml_text.h"
#include "schema/table/type_words.h"

namespace knead::tests {

using namespace schema;

namespace {

using Texts = std::vector<std::string>;

Texts slips(const std::string& name) {
  Texts all;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char other = name[i] == 'z' ? 'q' : 'z';
    const std::string before = name.substr(0, i);
    const std::string after = name.substr(i + 1);
    if (name.size() > 1) all.push_back(before + after);
    all.push_back(before + name[i] + name[i] + after);
    if (!after.empty() && after[0] != name[i])
      all.push_back(before + after[0] + name[i] + after.substr(1));
    all.push_back(before + other + after);
  }
  return all;
}

Node parsed(const std::string& yaml) {
  Problems none;
  return *parse_yaml(std::make_shared<Source>("value", "value", yaml), none);
}

/// Whether a value is of a shape that its key takes; a number without its unit is a mutation of its
/// own.
bool takes(const Type& type, const Node& node) {
  const bool is_number = node.kind == Node::Kind::integer || node.kind == Node::Kind::number;
  if (kind_fits(type, node) || (type.shape == Shape::quantity && is_number)) return true;
  if (type.shape == Shape::list && !node.is_list()) return takes(*type.items, node);
  for (const Type* option : type.either) {
    if (takes(*option, node)) return true;
  }
  if (type.scalar_key.empty() || node.is_map()) return false;
  return takes(*type_of_child(type, type.scalar_key), node);
}

/// A block in the wrong place may be reported at its key, as all blocks are.
Mutation with_value(const Recipe& recipe, const Value& value, const std::string& instead) {
  const bool in_lines = value.node->place == value.key;  // it begins below its key
  const std::string space = in_lines ? " " : "";
  const std::size_t begin = in_lines ? value.key.end + 1 : value.node->place.begin;
  const std::string what =
      recipe.text().substr(value.key.begin, value.key.end - value.key.begin) + ": " + instead;
  Mutation mutation{
      {{begin, end_of(*value.node), space + instead}}, begin + space.size(), "", what};
  if (instead[0] == '{') mutation.or_at = value.key.begin;
  return mutation;
}

/// Values of the right type that a type does not allow.
Texts out_of_bounds(const Type& type, const Node& node) {
  if (!type.scalar_key.empty() && !node.is_map())
    return out_of_bounds(*type_of_child(type, type.scalar_key), node);
  if (type.shape == Shape::list && !node.is_list()) return out_of_bounds(*type.items, node);
  const std::string low = fmt::format("{}", type.minimum - (type.exclusive ? 0 : 1));
  const std::string high = fmt::format("{}", type.maximum + 1);
  Texts all;
  switch (type.shape) {
    case Shape::choice: return {"zzzzzz", "\"\""};
    case Shape::quantity: return {low + (type.bare ? "" : " epochs")};
    case Shape::list:
      if (type.min_items > 0) all.push_back("[]");
      if (type.max_items != SIZE_MAX && !node.items.empty()) {
        const Texts items(type.max_items + 1, flow_as_yaml(node.items[0]));
        all.push_back(fmt::format("[{}]", fmt::join(items, ", ")));
      }
      return all;
    case Shape::text: return type.format == Format::none ? Texts{} : Texts{"\"\""};
    case Shape::integer:
    case Shape::number: break;
    default: return {};
  }
  all = {type.shape == Shape::integer ? "9223372036854775808" : ".inf", ".nan"};
  if (type.has_minimum) all.push_back(low);
  if (type.has_maximum) all.push_back(high);
  return all;
}

/// What the hint must say of a key that was put into another block: where it belongs, which may be
/// the block around its own, as optimizer has what optimizer.groups has; or, where the kind of its
/// block is all that is wrong, that kind.
std::string home_of(const WrittenKey& key, const Block& now) {
  if (now.path == key.block) {
    const Node* type = key.in->find("type");
    return type ? "type: " + type->text : "";  // the fields of sets in a mix are of several kinds
  }
  // Groups are of the kind of the optimizer, optimizer.groups.adamw.
  for (const std::string_view inner : {".groups", ".of"}) {
    const std::string around = key.block.substr(0, key.block.find(inner));
    const std::string_view rest = std::string_view(key.block).substr(around.size());
    const bool is_item = rest == inner || (rest.starts_with(inner) && inner == ".groups");
    if (is_item && type_at(recipe_type(), around + "." + key.entry->key)) return around;
  }
  return key.block.empty() ? "top level" : key.block;
}

/// Takes a key out and puts it before the first key of another block.
Mutation moved_to(const Recipe& recipe, const WrittenKey& key, const Block& block) {
  const auto [begin, end] = recipe.extent(key);
  const std::size_t target = block.node->entries[0].place.begin;
  const bool in_braces = recipe.text()[block.node->place.begin] == '{';
  const std::string moved =
      fmt::format("{}: {}{}", key.entry->key, flow_as_yaml(key.entry->value),
                  in_braces ? ", " : "\n" + std::string(recipe.column(target), ' '));
  const std::string home = home_of(key, block);
  const std::string what = key.entry->key + " into " + block.path;
  const Edit out{begin, end, ""}, in{target, target, moved};
  if (target < begin) return {{out, in}, target, home, what};
  Mutation mutation{{in, out}, target - (end - begin), home, what};
  // Of a block that does not say its kind, it is not known what its other keys may hold.
  if (key.entry->key == "type" && target < end_of(*key.in)) mutation.or_at = key.block_key.begin;
  return mutation;
}

/// Whether a set takes what it does not write from another.
bool is_like_another(const Node& block) { return block.find("like") != nullptr; }

}  // namespace

std::string Mutation::applied_to(std::string text) const {
  for (const Edit& edit : edits) text.replace(edit.begin, edit.end - edit.begin, edit.instead);
  return text;
}

Mutations misspelt(const Recipe& recipe) {
  Mutations all;
  for (const WrittenKey& key : recipe.keys()) {
    auto& here = all.by_key.emplace_back();
    const Place& place = key.entry->place;
    for (const std::string& slip : slips(key.entry->key)) {
      if (!key.block_type || find_key(*key.block_type, slip)) {
        ++all.left_out;
      } else {
        here.push_back({{{place.begin, place.end, slip}},
                        place.begin,
                        fmt::format("'{}'", key.entry->key),
                        slip});
      }
    }
  }
  return all;
}

Mutations wrong_type(const Recipe& recipe) {
  Mutations all;
  for (const Value& value : recipe.values()) {
    auto& here = all.by_key.emplace_back();
    for (const char* instead : {"7", "0.5", "true", "word", "[1, 2]", "{a: 1}"}) {
      if (takes(*value.type, parsed(instead))) {
        ++all.left_out;
      } else {
        here.push_back(with_value(recipe, value, instead));
      }
    }
  }
  return all;
}

Mutations out_of_range(const Recipe& recipe) {
  Mutations all;
  for (const Value& value : recipe.values()) {
    const Texts bad = out_of_bounds(*value.type, *value.node);
    if (bad.empty()) ++all.left_out;
    auto& here = all.by_key.emplace_back();
    for (const std::string& instead : bad) here.push_back(with_value(recipe, value, instead));
  }
  return all;
}

Mutations unit_dropped(const Recipe& recipe) {
  Mutations all;
  for (const Value& value : recipe.values()) {
    const std::size_t space = value.node->text.find(' ');
    if (value.type->shape == Shape::quantity && space != std::string::npos) {
      all.by_key.push_back({with_value(recipe, value, value.node->text.substr(0, space))});
    } else {
      ++all.left_out;
    }
  }
  return all;
}

Mutations removed(const Recipe& recipe) {
  Mutations all;
  for (const WrittenKey& key : recipe.keys()) {
    const auto [begin, end] = recipe.extent(key);
    const bool is_needed =
        key.block_type && find_key(*key.block_type, key.entry->key)->required && begin < end;
    if (!is_needed || is_like_another(*key.in)) {
      ++all.left_out;
      continue;
    }
    all.by_key.push_back(
        {{{{begin, end, ""}}, key.block_key.begin, "", key.block + "." + key.entry->key}});
  }
  return all;
}

Mutations duplicated(const Recipe& recipe) {
  Mutations all;
  for (const WrittenKey& key : recipe.keys()) {
    const std::size_t begin = key.entry->place.begin;
    const std::string between =
        key.in_braces ? ", " : "\n" + std::string(recipe.column(begin), ' ');
    const std::string again = between + recipe.text().substr(begin, key.end - begin);
    all.by_key.push_back(
        {{{{key.end, key.end, again}}, key.end + between.size(), "first", key.entry->key}});
  }
  return all;
}

Mutations moved(const Recipe& recipe) {
  Mutations all;
  for (const WrittenKey& key : recipe.keys()) {
    auto& here = all.by_key.emplace_back();
    const auto [begin, end] = recipe.extent(key);
    for (const Block& block : recipe.blocks()) {
      const std::size_t target = block.node->entries[0].place.begin;
      const bool is_inside = target >= key.entry->place.begin && target < key.end;
      if (!key.block_type || is_inside || begin == end || find_key(*block.type, key.entry->key)) {
        ++all.left_out;
      } else {
        here.push_back(moved_to(recipe, key, block));
      }
    }
  }
  return all;
}

}  // namespace knead::tests
