#include <algorithm>

#include <fmt/format.h>

#include "runner/engine/model/python/builtins/builtins.h"
#include "runner/engine/model/values/bound_arguments.h"

namespace knead::engine::model {

namespace {

/// Returns the list, dict or set that a method is called on.
template <typename T>
T& collection_of_self(const Arguments& arguments) {
  const auto* collection = as<T>(arguments.positional.at(0));
  // isinstance() takes some values for a dict or a tuple that are none.
  if (!collection) throw Mistake("this method does not know the value that it is called on");
  return **collection;
}

/// Counts one step for eight items: what a method does that moves all of them.
void spend_moves(Evaluator& evaluator, std::size_t items) {
  evaluator.spend(static_cast<std::int64_t>(items / 8));
}

Values& list_of_self(Evaluator& evaluator, const Arguments& arguments) {
  Values& items = collection_of_self<List>(arguments).items;
  spend_moves(evaluator, items.size());
  return items;
}

// --- list

Value append(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("append", arguments, {"self", "object"}, 2);
  evaluator.spend_items(1);  // a call counts the text of an argument
  collection_of_self<List>(arguments).items.push_back(bound[1]);
  return None{};
}

Value extend(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("extend", arguments, {"self", "iterable"}, 2);
  // The items are collected before the list grows, because x.extend(x) must end.
  Values more = evaluator.items(bound[1]);
  Values& items = collection_of_self<List>(arguments).items;
  items.insert(items.end(), more.begin(), more.end());
  return None{};
}

Value insert(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("insert", arguments, {"self", "index", "object"}, 3);
  evaluator.spend_items(1);
  Values& items = list_of_self(evaluator, arguments);
  const auto size = static_cast<std::int64_t>(items.size());
  const std::int64_t index = to_integer(bound[1]);
  const std::int64_t place = std::clamp(index < 0 ? index + size : index, std::int64_t{0}, size);
  items.insert(items.begin() + place, bound[2]);
  return None{};
}

Value pop(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("pop", arguments, {"self", "index"}, 1);
  Values& items = collection_of_self<List>(arguments).items;
  if (bound.has(1)) spend_moves(evaluator, items.size());
  if (items.empty()) throw Mistake::of("IndexError", "pop from empty list");
  const std::size_t place = position(bound.has(1) ? to_integer(bound[1]) : -1, items.size(), "pop");
  Value item = std::move(items[place]);
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(place));
  return item;
}

/// Returns the items of the list or tuple that a method is called on.
const Values& items_of_self(const Value& self) {
  const Values* items = sequence(self);
  if (!items) throw Mistake("this method does not know the value that it is called on");
  return *items;
}

/// Returns the index of the first equal item; the size if there is none.
std::size_t place_of(Evaluator& evaluator, const Values& items, const Value& wanted) {
  std::size_t place = 0;
  while (place < items.size() && !evaluator.equal(items[place], wanted)) ++place;
  return place;
}

Value remove(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("remove", arguments, {"self", "value"}, 2);
  Values& items = collection_of_self<List>(arguments).items;
  const std::size_t place = place_of(evaluator, items, bound[1]);
  // A method __eq__ may have made the list shorter.
  if (place >= items.size()) throw Mistake::of("ValueError", "list.remove(x): x not in list");
  spend_moves(evaluator, items.size());
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(place));
  return None{};
}

Value index(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("index", arguments, {"self", "value"}, 2);
  const Values& items = items_of_self(bound[0]);
  const std::size_t place = place_of(evaluator, items, bound[1]);
  if (place >= items.size()) {
    throw Mistake::of("ValueError", fmt::format("{} is not in {}", evaluator.repr(bound[1]),
                                                type_name(bound[0])));
  }
  return static_cast<std::int64_t>(place);
}

Value count_in_list(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("count", arguments, {"self", "value"}, 2);
  const Values& items = items_of_self(bound[0]);
  std::int64_t count = 0;
  for (std::size_t i = 0; i < items.size(); ++i) count += evaluator.equal(items[i], bound[1]);
  return count;
}

Value reverse(Evaluator& evaluator, const Arguments& arguments) {
  Values& items = list_of_self(evaluator, arguments);
  std::reverse(items.begin(), items.end());
  return None{};
}

Value sort(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("sort", arguments, {"self", "*key", "*reverse"}, 1);
  Values& items = collection_of_self<List>(arguments).items;
  spend_moves(evaluator, items.size());
  items = sorted_items(evaluator, items, bound.or_none(1), bound.flag(2, false));
  return None{};
}

Value copy_list(Evaluator& evaluator, const Arguments& arguments) {
  evaluator.spend_items_of(collection_of_self<List>(arguments).items);
  return make_list(collection_of_self<List>(arguments).items);
}

Value clear_list(Evaluator&, const Arguments& arguments) {
  collection_of_self<List>(arguments).items.clear();
  return None{};
}

// --- dict

/// Implements keys(), values() and items(): a snapshot of the dict that cannot be indexed.
template <typename Part>
Value view(Evaluator& evaluator, const Arguments& arguments, Part part) {
  auto items = std::make_shared<Set>(Set{.items = {}, .is_view = true});
  for (const auto& item : collection_of_self<Dict>(arguments).items) {
    items->items.push_back(part(item));
    evaluator.spend(4 + text_steps(item.first) + text_steps(item.second));
  }
  return items;
}
Value keys(Evaluator& evaluator, const Arguments& arguments) {
  return view(evaluator, arguments, [](const auto& item) { return item.first; });
}
Value values(Evaluator& evaluator, const Arguments& arguments) {
  return view(evaluator, arguments, [](const auto& item) { return item.second; });
}
Value items(Evaluator& evaluator, const Arguments& arguments) {
  return view(evaluator, arguments, [](const auto& item) {
    return make_tuple({item.first, item.second});
  });
}

Value get(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("get", arguments, {"self", "key", "default"}, 2);
  const Value* value = evaluator.find_key(collection_of_self<Dict>(arguments), bound[1]);
  return value ? *value : bound.or_none(2);
}

Value set_default(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("setdefault", arguments, {"self", "key", "default"}, 2);
  Dict& dict = collection_of_self<Dict>(arguments);
  if (const Value* value = evaluator.find_key(dict, bound[1])) return *value;
  evaluator.set_key(dict, bound[1], bound.or_none(2));
  return bound.or_none(2);
}

Value pop_key(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("pop", arguments, {"self", "key", "default"}, 2);
  const Value* found = evaluator.find_key(collection_of_self<Dict>(arguments), bound[1]);
  if (found == nullptr) {
    if (bound.has(2)) return bound[2];
    throw Mistake::of("KeyError", "KeyError: " + evaluator.repr(bound[1]));
  }
  Value value = *found;
  evaluator.delete_item(bound[0], bound[1]);
  return value;
}

Value update(Evaluator& evaluator, const Arguments& arguments) {
  Dict& dict = collection_of_self<Dict>(arguments);
  if (arguments.positional.size() > 2) {
    throw Mistake(
        fmt::format("update expected at most 1 argument, got {}", arguments.positional.size() - 1));
  }
  if (arguments.positional.size() == 2) add_items(evaluator, dict, arguments.positional[1]);
  for (const auto& [name, value] : arguments.named) evaluator.set_key(dict, name, value);
  return None{};
}

Value copy_dict(Evaluator& evaluator, const Arguments& arguments) {
  evaluator.spend_items_of(collection_of_self<Dict>(arguments));
  return std::make_shared<Dict>(collection_of_self<Dict>(arguments));
}

// --- set

Value add(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("add", arguments, {"self", "elem"}, 2);
  evaluator.add_to(collection_of_self<Set>(arguments), bound[1]);
  return None{};
}

Value discard(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("discard", arguments, {"self", "elem"}, 2);
  Values& items = collection_of_self<Set>(arguments).items;
  spend_moves(evaluator, items.size());
  const std::size_t place = place_of(evaluator, items, bound[1]);
  if (place < items.size()) items.erase(items.begin() + static_cast<std::ptrdiff_t>(place));
  return None{};
}

/// Implements union(), intersection() and difference(), which accept any iterable.
template <syntax::BinaryOperator op>
Value combined(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("set method", arguments, {"self", "other"}, 2);
  auto other = std::make_shared<Set>();
  for (const Value& item : evaluator.items(bound[1], true)) evaluator.add_to(*other, item);
  return evaluator.binary(op, bound[0], other);
}

}  // namespace

void add_list_methods(Class& type) {
  const std::pair<const char*, Method> methods[] = {
      {"append", append}, {"extend", extend},  {"insert", insert},       {"pop", pop},
      {"remove", remove}, {"index", index},    {"count", count_in_list}, {"reverse", reverse},
      {"sort", sort},     {"copy", copy_list}, {"clear", clear_list}};
  for (const auto& [name, method] : methods) add_method(type, name, method);
}

void add_tuple_methods(Class& type) {
  add_method(type, "index", index);
  add_method(type, "count", count_in_list);
}

void add_dict_methods(Class& type) {
  const std::pair<const char*, Method> methods[] = {
      {"keys", keys},   {"values", values},          {"items", items},   {"get", get},
      {"pop", pop_key}, {"setdefault", set_default}, {"update", update}, {"copy", copy_dict}};
  for (const auto& [name, method] : methods) add_method(type, name, method);
}

void add_set_methods(Class& type) {
  add_method(type, "add", add);
  add_method(type, "discard", discard);
  add_method(type, "union", combined<syntax::BinaryOperator::bit_or>);
  add_method(type, "intersection", combined<syntax::BinaryOperator::bit_and>);
  add_method(type, "difference", combined<syntax::BinaryOperator::subtract>);
}

}  // namespace knead::engine::model
