#include "runner/engine/model/python/evaluator/settings.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/engine/model/python/evaluator/module.h"
#include "runner/engine/model/python/evaluator/native.h"
#include "runner/engine/model/values/bound_arguments.h"
#include "schema/document/suggest.h"

namespace knead::engine::model {
namespace {

using ObjectPtr = std::shared_ptr<Object>;

constexpr const char* kSettings = "Namespace";
constexpr const char* kView = "mappingproxy";
/// The attribute of a view that holds the object; no source can contain the name.
constexpr const char* kTarget = "@of";

/// Returns the object whose attributes are the entries.
ObjectPtr target_of(const Value& value) {
  const auto& object = std::get<ObjectPtr>(value);
  if (object->type->name != kView) return object;
  return std::get<ObjectPtr>(*find_named(object->attributes, kTarget));
}

const Value& settings_self(const Arguments& arguments) { return arguments.positional.at(0); }

Value* find_entry(const Value& settings, const Value& key) {
  const auto* name = std::get_if<std::string>(&key);
  return name ? find_named(entries_of(settings), *name) : nullptr;
}

[[noreturn]] void no_entry(Evaluator& evaluator, const Value& settings, const Value& key) {
  std::vector<std::string_view> known;
  for (const auto& entry : entries_of(settings)) known.push_back(entry.first);
  const auto* name = std::get_if<std::string>(&key);
  throw Mistake::of("KeyError", "KeyError: " + evaluator.repr(key),
                    name ? schema::did_you_mean(*name, known) : "");
}

void set_entry(const Value& settings, const Value& key, Value value) {
  set_plain_attribute(*target_of(settings), to_text(key, "a key"), std::move(value));
}

Value entry_of_key(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("__getitem__", arguments, {"self", "key"}, 2);
  if (const Value* value = find_entry(bound[0], bound[1])) return *value;
  no_entry(evaluator, bound[0], bound[1]);
}

Value put_entry(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("__setitem__", arguments, {"self", "key", "value"}, 3);
  set_entry(bound[0], bound[1], bound[2]);
  return None{};
}

Value remove_entry(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("__delitem__", arguments, {"self", "key"}, 2);
  if (!find_entry(bound[0], bound[1])) no_entry(evaluator, bound[0], bound[1]);
  remove_from_module(*target_of(bound[0]), std::get<std::string>(bound[1]));
  return None{};
}

Value has_entry(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("__contains__", arguments, {"self", "key"}, 2);
  return find_entry(bound[0], bound[1]) != nullptr;
}

Value count_entries(Evaluator&, const Arguments& arguments) {
  return static_cast<std::int64_t>(entries_of(settings_self(arguments)).size());
}

/// Implements entry_keys(), entry_values() and entry_items().
template <typename Part>
Value view_entries(const Arguments& arguments, Part part) {
  auto items = std::make_shared<Set>(Set{.items = {}, .is_view = true});
  for (const auto& entry : entries_of(settings_self(arguments)))
    items->items.push_back(part(entry));
  return items;
}
Value entry_keys(Evaluator&, const Arguments& arguments) {
  return view_entries(arguments, [](const auto& entry) -> Value { return entry.first; });
}
Value entry_values(Evaluator&, const Arguments& arguments) {
  return view_entries(arguments, [](const auto& entry) { return entry.second; });
}
Value entry_items(Evaluator&, const Arguments& arguments) {
  return view_entries(arguments, [](const auto& entry) {
    return make_tuple({entry.first, entry.second});
  });
}

Value entry_or(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("get", arguments, {"self", "key", "default"}, 2);
  const Value* value = find_entry(bound[0], bound[1]);
  return value ? *value : bound.or_none(2);
}

Value entry_or_set(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("setdefault", arguments, {"self", "key", "default"}, 2);
  if (const Value* value = find_entry(bound[0], bound[1])) return *value;
  set_entry(bound[0], bound[1], bound.or_none(2));
  return bound.or_none(2);
}

Value pop_entry(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("pop", arguments, {"self", "key", "default"}, 2);
  const Value* found = find_entry(bound[0], bound[1]);
  if (!found && bound.has(2)) return bound[2];
  if (!found) no_entry(evaluator, bound[0], bound[1]);
  Value value = *found;
  remove_from_module(*target_of(bound[0]), std::get<std::string>(bound[1]));
  return value;
}

Value update_entries(Evaluator& evaluator, const Arguments& arguments) {
  Dict more;
  if (arguments.positional.size() > 2) throw Mistake("update expected at most 1 argument");
  if (arguments.positional.size() == 2) add_items(evaluator, more, arguments.positional[1]);
  for (const auto& [name, value] : arguments.named) evaluator.set_key(more, name, value);
  for (const auto& [key, value] : more.items) set_entry(settings_self(arguments), key, value);
  return None{};
}

Value copy_entries(Evaluator&, const Arguments& arguments) {
  return make_settings(entries_of(settings_self(arguments)));
}

Value equal_entries(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("__eq__", arguments, {"self", "other"}, 2);
  if (!is_settings(bound[1]) && !as<Dict>(bound[1])) return false;
  const auto as_dict = [&](const Value& value) {
    auto dict = std::make_shared<Dict>();
    add_items(evaluator, *dict, value);
    return dict;
  };
  return evaluator.equal(as_dict(bound[0]), as_dict(bound[1]));
}

Value entries_text(Evaluator& evaluator, const Arguments& arguments) {
  std::string text;
  for (const auto& [name, value] : entries_of(settings_self(arguments))) {
    text += (text.empty() ? "" : ", ") + name + "=" + evaluator.repr(value);
  }
  return fmt::format("{}({})", kSettings, text);
}

std::shared_ptr<Class> make_settings_type(const char* name) {
  auto type = make_type(name);
  const std::pair<const char*, Method> methods[] = {
      {"__getitem__", entry_of_key}, {"__setitem__", put_entry}, {"__delitem__", remove_entry},
      {"__contains__", has_entry},   {"__len__", count_entries}, {"__iter__", entry_keys},
      {"__eq__", equal_entries},     {"__repr__", entries_text}, {"keys", entry_keys},
      {"values", entry_values},      {"items", entry_items},     {"get", entry_or},
      {"setdefault", entry_or_set},  {"pop", pop_entry},         {"update", update_entries},
      {"copy", copy_entries}};
  for (const auto& [method_name, method] : methods) add_method(*type, method_name, method);
  return type;
}

}  // namespace

std::shared_ptr<Object> make_settings(NamedValues entries) {
  static const std::shared_ptr<Class> type = make_settings_type(kSettings);
  auto object = std::make_shared<Object>();
  object->type = type;
  object->attributes = std::move(entries);
  return object;
}

std::shared_ptr<Object> attributes_as_dict(const std::shared_ptr<Object>& object) {
  static const std::shared_ptr<Class> type = make_settings_type(kView);
  if (is_settings(object)) return object;
  auto view = std::make_shared<Object>();
  view->type = type;
  view->attributes.emplace_back(kTarget, object);
  return view;
}

bool is_settings(const Value& value) {
  const auto* object = as<Object>(value);
  if (!object || (*object)->type->file || !(*object)->type->fields.empty()) return false;
  return (*object)->type->name == kSettings || (*object)->type->name == kView;
}

NamedValues& entries_of(const Value& settings) { return target_of(settings)->attributes; }

Value as_settings(const Value& value) {
  if (const auto* dict = as<Dict>(value)) {
    NamedValues entries;
    for (const auto& [key, item] : (*dict)->items) {
      entries.emplace_back(to_text(key, "a key"), as_settings(item));
    }
    return make_settings(std::move(entries));
  }
  const auto* list = as<List>(value);
  if (!list) return value;
  auto copy = std::make_shared<List>(**list);
  for (Value& item : copy->items) item = as_settings(item);
  return copy;
}

}  // namespace knead::engine::model
