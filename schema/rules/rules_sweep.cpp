#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "schema/document/yaml_text.h"
#include "schema/rules/rule_list.h"
#include "schema/rules/swept_value.h"

namespace knead::schema {
namespace {

/// Returns whether a key can be changed on resume although another value gives another run, or one
/// of another speed.
bool decides_the_result(std::string_view path) {
  return is_one_of(path, {"train.until", "early_stopping", "device", "threads", "batch.micro",
                          "evaluate.batch"});
}

/// Returns whether trials that differ only in this key are the same run: it is their name or place,
/// or it, or a block that it is part of, changes nothing in what is computed.
bool changes_nothing(std::string_view path) {
  const Type* type = &recipe_type();
  for (std::size_t dot = 0; type && dot < path.size();) {
    const std::size_t begin = dot == 0 ? 0 : dot + 1;
    dot = std::min(path.find('.', begin), path.size());
    const std::string_view here = path.substr(0, dot);
    const std::string_view name = path.substr(begin, dot - begin);
    if (is_one_of(here, {"name", "output"}) || here.starts_with("x-")) return true;
    if (decides_the_result(here)) return false;
    const Key* key = find_key(*type, name);
    for (const Kind& kind : type->kinds) key = key ? key : find_key(*kind.type, name);
    if (key && key->resume_free) return true;
    type = type_of_child(*type, name);
  }
  return false;
}

/// Refuses keys that do not tell trials apart, and a key beside a block that it is part of.
void check_keys(const RuleView& recipe, const Node& keys) {
  for (const Entry& entry : keys.entries) {
    if (changes_nothing(entry.key)) {
      recipe.error("sweep-key", entry.place, fmt::format("'{}' cannot be swept", entry.key),
                   "trials that differ only in it are the same run");
    }
    for (const Entry& other : keys.entries) {
      if (!entry.key.starts_with(other.key + ".")) continue;
      recipe.error("sweep-key", entry.place,
                   fmt::format("'{}' is part of '{}', which is swept too (line {})", entry.key,
                               other.key, other.place.line()),
                   "sweep the block alone, or keys of it");
    }
  }
}

/// Refuses a value that stands in a list twice, and an item that is left empty.
void check_values(const RuleView& recipe, const std::string& key, const Node& values) {
  std::map<std::string, Place> seen;
  for (const Node& value : values.items) {
    if (value.is_null() && value.empty) {
      recipe.error("empty-value", value.place, fmt::format("a value of '{}' is empty", key),
                   "write null to leave the key out");
      continue;
    }
    const auto [first, is_new] = seen.emplace(flow_as_yaml(value), value.place);
    if (is_new) continue;
    recipe.error("sweep-value", value.place,
                 fmt::format("'{}' has the value {} twice", key, shortened(value)), "");
  }
}

/// Refuses bounds without a number between them, and logarithms of 0.
void check_range(const RuleView& recipe, const std::string& name, const Node& bounds) {
  const Node& low = bounds.items[0];
  const Node& high = bounds.items[1];
  if (name == "log" && low.number <= 0) {
    recipe.error("sweep-space", low.place,
                 fmt::format("'log' needs numbers above 0: '{}'", low.text),
                 high.number > 0 ? "'range' takes all numbers" : "");
  } else if (low.number == high.number) {
    recipe.error("sweep-space", bounds.place,
                 fmt::format("'{}' begins and ends at {}", name, low.text),
                 "one value is written as a list, or in the recipe itself");
  } else if (low.number > high.number) {
    recipe.error("sweep-space", bounds.place,
                 fmt::format("'{}' ends at {}, below {}", name, high.text, low.text),
                 fmt::format("write [{}, {}]", high.text, low.text));
  }
}

/// Requires one kind of values for a swept key.
void check_dimension(const RuleView& recipe, const Entry& entry) {
  std::vector<const Entry*> written;
  for (const char* name : {"values", "range", "log", "integers"}) {
    if (const Entry* one = entry.value.entry(name)) written.push_back(one);
  }
  if (written.empty()) {
    recipe.error("sweep-space", entry.place, fmt::format("'{}' has no values", entry.key),
                 "write a list, {range: [a, b]}, {log: [a, b]} or {integers: [a, b]}");
  } else if (written.size() > 1) {
    recipe.error("not-together", written[1]->place,
                 fmt::format("'{}' does not go with '{}'", written[1]->key, written[0]->key),
                 "keep one of them");
  } else if (written[0]->key == "values") {
    check_values(recipe, entry.key, written[0]->value);
  } else {
    check_range(recipe, written[0]->key, written[0]->value);
  }
}

/// Returns the keys of one map that another lacks, for a message.
std::string lacking(const Node& from, const Node& in) {
  std::vector<std::string> keys;
  for (const Entry& entry : from.entries) {
    if (!in.find(entry.key)) keys.push_back("'" + entry.key + "'");
  }
  return fmt::format("{}", fmt::join(keys, " and "));
}

/// Refuses items of a list that are no point: without keys, with other keys than the first, or
/// equal to one before.
void check_items(const RuleView& recipe, const Node& list) {
  std::map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const Node& item = list.items[i];
    const std::string lacks = lacking(list.items[0], item);
    const std::string adds = lacking(item, list.items[0]);
    std::string text;
    for (const Entry& entry : item.entries)
      text += entry.key + "=" + flow_as_yaml(entry.value) + "\n";
    if (item.entries.empty()) {
      recipe.error("sweep-space", item.place, fmt::format("sweep.list.{} sweeps nothing", i),
                   "write values for keys, as in {optimizer.lr: 1e-3}");
      if (i == 0) return;
    } else if (!lacks.empty()) {
      recipe.error("sweep-space", item.place,
                   fmt::format("sweep.list.{} has no value for {}", i, lacks),
                   "all items have the keys of the first");
    } else if (!adds.empty()) {
      recipe.error("sweep-space", item.place,
                   fmt::format("sweep.list.{} has a value for {}, the first item has not", i, adds),
                   "all items have the keys of the first");
    } else if (const auto [first, is_new] = seen.emplace(text, i); !is_new) {
      recipe.error("sweep-value", item.place,
                   fmt::format("sweep.list.{} is sweep.list.{} again", i, first->second), "");
    }
    for (const Entry& entry : item.entries) {
      if (entry.value.empty) {
        recipe.error("empty-value", entry.place, fmt::format("'{}' has no value", entry.key),
                     "write a value, or null to leave the key out");
      }
    }
  }
}

}  // namespace

void swept_keys_tell_trials_apart(const RuleView& recipe) {
  if (const Node* over = recipe.find("sweep.over")) check_keys(recipe, *over);
  const Node* list = recipe.find("sweep.list");
  if (list && !list->items.empty()) check_keys(recipe, list->items[0]);
}

void swept_values_are_sound(const RuleView& recipe) {
  if (const Node* over = recipe.find("sweep.over")) {
    for (const Entry& entry : over->entries) check_dimension(recipe, entry);
  }
  if (const Node* list = recipe.find("sweep.list")) check_items(recipe, *list);
}

}  // namespace knead::schema
