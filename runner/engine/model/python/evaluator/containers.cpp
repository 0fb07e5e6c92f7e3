#include <fmt/format.h>

#include "runner/engine/model/python/evaluator/module.h"
#include "runner/engine/model/python/evaluator/native.h"
#include "runner/engine/model/values/bound_arguments.h"
#include "runner/engine/model/values/work.h"
#include "schema/document/suggest.h"

namespace knead::engine::model {
namespace {

using ObjectPtr = std::shared_ptr<Object>;
using Container = Class::Container;

ObjectPtr self_of(const Arguments& arguments) {
  return std::get<ObjectPtr>(arguments.positional.at(0));
}

void start(Evaluator& evaluator, const ObjectPtr& self) {
  evaluator.call(*evaluator.type("Module")->find("__init__"), {{self}, {}});
}

/// Returns the items of a container: modules, or the tensors of a ParameterList.
Values modules_in(const Object& self) {
  count_parts(4 * std::ssize(self.modules));
  Values items;
  if (self.type->container == Container::parameters) {
    for (const Slot& slot : self.parameters) items.emplace_back(*slot.tensor);
    return items;
  }
  for (const auto& child : self.modules) items.push_back(make_module(child.second));
  return items;
}

/// Appends an item named by its position; a ParameterList makes Parameters of plain tensors.
void push(Evaluator& evaluator, const ObjectPtr& self, const Value& item) {
  if (self->type->container != Container::parameters) {
    if (as<List>(item)) throw Mistake("list is not a Module subclass", "write *layers for a list");
    register_module(*self, std::to_string(self->modules.size()), item);
    return;
  }
  if (!is_tensor(item))
    throw Mistake(fmt::format("ParameterList holds tensors, not '{}'", type_name(item)));
  const auto& tensor = std::get<at::Tensor>(item);
  const Value kept =
      evaluator.is_parameter(tensor) ? tensor : evaluator.make_parameter(tensor, true);
  register_parameter(evaluator, *self, std::to_string(self->parameters.size()), kept);
}

/// Replaces all items and names them by position, as after an insertion or a deletion.
void refill(Evaluator& evaluator, const ObjectPtr& self, const Values& items) {
  self->modules.clear();
  self->parameters.clear();
  for (const Value& item : items) push(evaluator, self, item);
}

ObjectPtr made_like(Evaluator& evaluator, const Object& self, const Values& items) {
  auto made = std::make_shared<Object>();
  made->type = self.type;
  start(evaluator, made);
  refill(evaluator, made, items);
  return made;
}

Value init_sequential(Evaluator& evaluator, const Arguments& arguments) {
  const ObjectPtr self = self_of(arguments);
  start(evaluator, self);
  const auto* dict = arguments.positional.size() == 2 ? as<Dict>(arguments.positional[1]) : nullptr;
  if (dict != nullptr) {
    for (const auto& [key, value] : (*dict)->items)
      register_module(*self, to_text(key, "the name of a module"), value);
    return None{};
  }
  const Arguments options{.positional = {}, .named = arguments.named};
  const BoundArguments by_name("Sequential", options, {}, 0);
  for (std::size_t i = 1; i < arguments.positional.size(); ++i)
    push(evaluator, self, arguments.positional[i]);
  return None{};
}

/// Returns the arguments of a container that takes its items as one list or dict.
BoundArguments one_list(const Arguments& arguments) {
  const std::string& type = self_of(arguments)->type->name;
  if (arguments.positional.size() > 2) {
    throw Mistake(fmt::format("{}() takes one list, not its items one by one", type),
                  fmt::format("write {}([…])", type));
  }
  return {type, arguments, {"self", "modules"}, 1};
}

Value init_list(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound = one_list(arguments);
  start(evaluator, self_of(arguments));
  if (is_none(bound.or_none(1))) return None{};
  for (const Value& item : evaluator.items(bound[1])) push(evaluator, self_of(arguments), item);
  return None{};
}

Value forward(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("Sequential.forward", arguments, {"self", "input"}, 2);
  Value value = bound[1];
  for (const Value& item : modules_in(*self_of(arguments)))
    value = evaluator.call(item, {{value}, {}});
  return value;
}

// --- Sequential, ModuleList and ParameterList

Value length(Evaluator&, const Arguments& arguments) {
  return static_cast<std::int64_t>(modules_in(*self_of(arguments)).size());
}

Value container_iterator(Evaluator&, const Arguments& arguments) {
  return make_list(modules_in(*self_of(arguments)));
}

Value container_item(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("__getitem__", arguments, {"self", "index"}, 2);
  const ObjectPtr self = self_of(arguments);
  const Value found = evaluator.item(make_list(modules_in(*self)), bound[1]);
  if (!as<Slice>(bound[1])) return found;
  if (self->type->container != Container::sequential) {
    return made_like(evaluator, *self, *sequence(found));
  }
  // A slice of a Sequential keeps the names of its parts, as in PyTorch.
  auto part = made_like(evaluator, *self, {});
  const Range places = taken(**as<Slice>(bound[1]), self->modules.size());
  for (std::int64_t i = 0; i < model::length(places); ++i) {
    part->modules.push_back(
        self->modules[static_cast<std::size_t>(places.begin + i * places.step)]);
  }
  return part;
}

Value set_item(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("__setitem__", arguments, {"self", "index", "value"}, 3);
  const ObjectPtr self = self_of(arguments);
  if (self->type->container == Container::parameters) {
    const auto list = std::make_shared<List>(List{modules_in(*self)});
    evaluator.set_item(list, to_integer(bound[1]), bound[2]);
    refill(evaluator, self, list->items);
    return None{};
  }
  const std::size_t place = position(to_integer(bound[1]), self->modules.size(), "index");
  set_in_module(evaluator, *self, self->modules[place].first, bound[2]);
  return None{};
}

Value append(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("append", arguments, {"self", "module"}, 2);
  push(evaluator, self_of(arguments), bound[1]);
  return bound[0];
}

Value extend(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("extend", arguments, {"self", "modules"}, 2);
  for (const Value& item : evaluator.items(bound[1])) push(evaluator, self_of(arguments), item);
  return bound[0];
}

Value insert(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("insert", arguments, {"self", "index", "module"}, 3);
  const auto list = std::make_shared<List>(List{modules_in(*self_of(arguments))});
  evaluator.call(evaluator.attribute(list, "insert"), {{bound[1], bound[2]}, {}});
  refill(evaluator, self_of(arguments), list->items);
  return None{};
}

Value delete_item(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("__delitem__", arguments, {"self", "index"}, 2);
  const auto list = std::make_shared<List>(List{modules_in(*self_of(arguments))});
  evaluator.delete_item(list, bound[1]);
  refill(evaluator, self_of(arguments), list->items);
  return None{};
}

Value add(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("__add__", arguments, {"self", "other"}, 2);
  Values items = modules_in(*self_of(arguments));
  for (Value& item : evaluator.items(bound[1])) items.push_back(std::move(item));
  return made_like(evaluator, *self_of(arguments), items);
}

// --- ModuleDict

Value update(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("update", arguments, {"self", "modules"}, 2);
  Dict dict;
  if (const auto* object = as<Object>(bound[1])) {
    for (const auto& [key, part] : (*object)->modules)
      dict.items.emplace_back(key, make_module(part));
  } else {
    add_items(evaluator, dict, bound[1]);
  }
  for (const auto& [key, value] : dict.items)
    register_module(*self_of(arguments), to_text(key, "the name of a module"), value);
  return None{};
}

Value init_dict(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound = one_list(arguments);
  start(evaluator, self_of(arguments));
  return is_none(bound.or_none(1)) ? Value{None{}} : update(evaluator, arguments);
}

template <typename Part>
Value view(const Arguments& arguments, Part part) {
  Values items;
  const Object& self = *self_of(arguments);
  count_parts(kPartsOfStep * std::ssize(self.modules));
  for (const auto& [name, child] : self.modules) items.push_back(part(name, child));
  return std::make_shared<Set>(Set{.items = std::move(items), .is_view = true});
}
Value keys(Evaluator&, const Arguments& arguments) {
  return view(arguments, [](const std::string& name, const ObjectPtr&) -> Value { return name; });
}
Value values(Evaluator&, const Arguments& arguments) {
  return view(arguments, [](auto&, const ObjectPtr& child) { return make_module(child); });
}
Value items(Evaluator&, const Arguments& arguments) {
  return view(arguments, [](const std::string& name, const ObjectPtr& child) {
    return make_tuple({name, make_module(child)});
  });
}

ObjectPtr* find_module(Object& self, const Value& key) {
  return find_named(self.modules, to_text(key, "a key of a ModuleDict"));
}

Value get_by_key(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("__getitem__", arguments, {"self", "key"}, 2);
  if (const auto* found = find_module(*self_of(arguments), bound[1])) return make_module(*found);
  std::vector<std::string_view> known;
  for (const auto& child : self_of(arguments)->modules) known.push_back(child.first);
  throw Mistake::of("KeyError", "KeyError: " + evaluator.repr(bound[1]),
                    schema::did_you_mean(std::get<std::string>(bound[1]), known));
}

Value set_by_key(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("__setitem__", arguments, {"self", "key", "module"}, 3);
  register_module(*self_of(arguments), to_text(bound[1], "the name of a module"), bound[2]);
  return None{};
}

Value contains(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("__contains__", arguments, {"self", "key"}, 2);
  return is_text(bound[1]) && find_module(*self_of(arguments), bound[1]) != nullptr;
}

Value pop(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("pop", arguments, {"self", "key"}, 2);
  const Value module = get_by_key(evaluator, {.positional = {bound[0], bound[1]}, .named = {}});
  remove_from_module(*self_of(arguments), std::get<std::string>(bound[1]));
  return module;
}

void add_list_members(Class& type) {
  const std::pair<const char*, Method> methods[] = {{"__len__", length},
                                                    {"__iter__", container_iterator},
                                                    {"__getitem__", container_item},
                                                    {"__setitem__", set_item},
                                                    {"__delitem__", delete_item},
                                                    {"append", append},
                                                    {"extend", extend},
                                                    {"insert", insert},
                                                    {"__add__", add}};
  for (const auto& [name, method] : methods) add_method(type, name, method);
}

}  // namespace

void add_containers(Evaluator& evaluator, Scope& names, const std::shared_ptr<Class>& module) {
  const auto make = [&](const std::string& name, Container container, Method init) {
    const auto type = make_type(name);
    type->order.push_back(module);
    type->is_module = true;
    type->container = container;
    add_method(*type, "__init__", init);
    evaluator.add_type(type);
    names.set(name, type);
    return type;
  };
  const auto sequential = make("Sequential", Container::sequential, init_sequential);
  add_method(*sequential, "forward", forward);
  add_list_members(*sequential);
  add_list_members(*make("ModuleList", Container::list, init_list));
  add_list_members(*make("ParameterList", Container::parameters, init_list));
  const auto dict = make("ModuleDict", Container::dict, init_dict);
  const std::pair<const char*, Method> methods[] = {
      {"__len__", length},         {"__iter__", keys},
      {"__getitem__", get_by_key}, {"__setitem__", set_by_key},
      {"__contains__", contains},  {"keys", keys},
      {"values", values},          {"items", items},
      {"update", update},          {"pop", pop}};
  for (const auto& [name, method] : methods) add_method(*dict, name, method);
}

}  // namespace knead::engine::model
