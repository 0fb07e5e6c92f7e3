#include "runner/engine/model/python/evaluator/module_parts.h"

#include "runner/engine/model/python/evaluator/module.h"
#include "runner/engine/model/python/evaluator/native.h"
#include "runner/engine/model/values/bound_arguments.h"
#include "runner/engine/model/values/mistake.h"
#include "runner/engine/model/values/values.h"
#include "runner/engine/model/values/work.h"

namespace knead::engine::model {
namespace {

using ObjectPtr = std::shared_ptr<Object>;

/// A view holds the module and the name of the list, in this order.
const ObjectPtr& viewed_module(const Arguments& arguments) {
  const auto& view = std::get<ObjectPtr>(arguments.positional.at(0));
  return std::get<ObjectPtr>(view->attributes.at(0).second);
}

const std::string& viewed_list(const Arguments& arguments) {
  const auto& view = std::get<ObjectPtr>(arguments.positional.at(0));
  return std::get<std::string>(view->attributes.at(1).second);
}

NamedValues viewed_parts(const Arguments& arguments) {
  const Object& module = *viewed_module(arguments);
  const std::string& list = viewed_list(arguments);
  NamedValues parts;
  count_parts(kPartsOfStep * std::ssize(module.modules));
  if (list == "_modules") {
    for (const auto& [name, child] : module.modules) parts.emplace_back(name, make_module(child));
    return parts;
  }
  for (const Slot& slot : list == "_parameters" ? module.parameters : module.buffers) {
    parts.emplace_back(slot.name, slot.tensor ? Value{*slot.tensor} : Value{None{}});
  }
  return parts;
}

template <typename Part>
Value view_of_parts(const Arguments& arguments, Part part) {
  auto items = std::make_shared<Set>(Set{.items = {}, .is_view = true});
  for (const auto& entry : viewed_parts(arguments)) items->items.push_back(part(entry));
  return items;
}
Value part_names(Evaluator&, const Arguments& arguments) {
  return view_of_parts(arguments, [](const auto& entry) -> Value { return entry.first; });
}
Value part_values(Evaluator&, const Arguments& arguments) {
  return view_of_parts(arguments, [](const auto& entry) { return entry.second; });
}
Value part_items(Evaluator&, const Arguments& arguments) {
  return view_of_parts(arguments, [](const auto& entry) {
    return make_tuple({entry.first, entry.second});
  });
}

Value part_count(Evaluator&, const Arguments& arguments) {
  return static_cast<std::int64_t>(viewed_parts(arguments).size());
}

Value has_part(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("__contains__", arguments, {"self", "key"}, 2);
  const NamedValues parts = viewed_parts(arguments);
  return is_text(bound[1]) && find_named(parts, std::get<std::string>(bound[1])) != nullptr;
}

Value get_part(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("__getitem__", arguments, {"self", "key"}, 2);
  const NamedValues parts = viewed_parts(arguments);
  const Value* found =
      is_text(bound[1]) ? find_named(parts, std::get<std::string>(bound[1])) : nullptr;
  if (!found) throw Mistake::of("KeyError", "KeyError: " + evaluator.repr(bound[1]));
  return *found;
}

Value set_part(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("__setitem__", arguments, {"self", "key", "value"}, 3);
  Object& module = *viewed_module(arguments);
  const std::string& list = viewed_list(arguments);
  const std::string& name = to_text(bound[1], "the name of a part");
  if (list == "_modules") {
    register_module(module, name, bound[2]);
  } else if (list == "_parameters") {
    register_parameter(evaluator, module, name, bound[2]);
  } else {
    register_buffer(module, name, bound[2], /*persistent=*/true);
  }
  return None{};
}

Value delete_part(Evaluator& evaluator, const Arguments& arguments) {
  get_part(evaluator, arguments);
  remove_from_module(*viewed_module(arguments), std::get<std::string>(arguments.positional[1]));
  return None{};
}

Value pop_part(Evaluator& evaluator, const Arguments& arguments) {
  Value part = get_part(evaluator, arguments);
  remove_from_module(*viewed_module(arguments), std::get<std::string>(arguments.positional[1]));
  return part;
}

std::shared_ptr<Class> parts_type() {
  const auto type = make_type("OrderedDict");
  const std::pair<const char*, Method> methods[] = {
      {"keys", part_names},      {"values", part_values},   {"items", part_items},
      {"__iter__", part_names},  {"__len__", part_count},   {"__contains__", has_part},
      {"__getitem__", get_part}, {"__setitem__", set_part}, {"__delitem__", delete_part},
      {"pop", pop_part}};
  for (const auto& [name, method] : methods) add_method(*type, name, method);
  return type;
}

}  // namespace

std::optional<Value> parts_of(const std::shared_ptr<Object>& module, const std::string& name) {
  if (name != "_modules" && name != "_parameters" && name != "_buffers") return std::nullopt;
  static const std::shared_ptr<Class> type = parts_type();
  auto view = std::make_shared<Object>();
  view->type = type;
  view->attributes = {{"@of", module}, {"@list", name}};
  return view;
}

void replace_forward(Object& module, const Value& value) {
  const auto* method = as<BoundMethod>(value);
  const auto* of = method ? as<Object>((*method)->self) : nullptr;
  if (!of || of->get() != &module) {
    throw Mistake("forward of an object can be replaced by another of its methods only",
                  "call the function in forward");
  }
  auto own = std::make_shared<Class>(*module.type);
  own->order.insert(own->order.begin(), own);
  own->members.clear();
  own->members.emplace_back("forward", (*method)->function);
  module.type = std::move(own);
}

}  // namespace knead::engine::model
