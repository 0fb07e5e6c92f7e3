#include "runner/engine/model/python/evaluator/records.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>

#include "runner/engine/model/python/evaluator/dataclass.h"
#include "runner/engine/model/python/evaluator/module.h"
#include "runner/engine/model/python/evaluator/native.h"
#include "runner/engine/model/values/bound_arguments.h"

namespace knead::engine::model {

namespace {

constexpr const char* kNamedTuple = "NamedTuple";
constexpr const char* kEnum = "Enum";
constexpr const char* kAuto = "auto()";  // class of the objects that auto() returns

/// Returns whether a class is derived from the built-in class `base`.
bool is_below(const Class& type, const char* base) {
  return std::any_of(type.order.begin(), type.order.end(),
                     [&](const auto& one) { return one->file == nullptr && one->name == base; });
}

// --- NamedTuple

Value record_iterator(Evaluator& evaluator, const Arguments& arguments) {
  return evaluator.iterate(as_tuple(evaluator, arguments.positional.at(0)));
}

Value record_item(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("__getitem__", arguments, {"self", "index"}, 2);
  return evaluator.item(as_tuple(evaluator, bound[0]), bound[1]);
}

Value count(Evaluator& evaluator, const Arguments& arguments) {
  const Value tuple = as_tuple(evaluator, arguments.positional.at(0));
  return static_cast<std::int64_t>((*as<Tuple>(tuple))->items.size());
}

/// Returns whether a text is a name as in source.
bool is_identifier(const std::string& text) {
  const auto is_part = [](unsigned char c) { return std::isalnum(c) || c == '_' || c >= 0x80; };
  const bool begins = !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0]));
  return begins && std::all_of(text.begin(), text.end(), is_part);
}

// --- Enum

/// Returns whether a name of an Enum body is a member: not private and not a function.
bool is_member(const std::string& name, const Value& value) {
  return !name.starts_with('_') && !as<Function>(value) && !as<Builtin>(value);
}

/// Returns the member with a value, as Color(1) does.
Value member_of_value(Evaluator& evaluator, const Class& type, const Value& value) {
  for (const auto& [name, member] : type.members) {
    const auto* object = as<Object>(member);
    if (object == nullptr || (*object)->type.get() != &type) continue;
    if (evaluator.equal(evaluator.attribute(member, "value"), value)) return member;
  }
  throw Mistake(fmt::format("{} is not a valid {}", evaluator.repr(value), type.name));
}

/// Compares a member of an Enum below `str`, which is equal to its text.
Value equals_text(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("__eq__", arguments, {"self", "other"}, 2);
  if (is_text(bound[1])) return evaluator.equal(evaluator.attribute(bound[0], "value"), bound[1]);
  return same(bound[0], bound[1]);
}

/// Replaces the values of an Enum body by member objects.
void make_members(const std::shared_ptr<Class>& type) {
  if (is_below(*type, "str") && !type->find("__eq__")) add_method(*type, "__eq__", equals_text);
  std::int64_t last = 0;
  for (auto& [name, value] : type->members) {
    if (!is_member(name, value)) continue;
    const auto* object = as<Object>(value);
    if (object != nullptr && (*object)->type->name == kAuto) value = last + 1;
    if (is_integer(value)) last = integer_of(value);
    auto member = std::make_shared<Object>();
    member->type = type;
    set_plain_attribute(*member, "name", name);
    set_plain_attribute(*member, "value", value);
    value = member;
  }
  // A shared pointer in the class itself would be one more cycle.
  type->construct = [type = std::weak_ptr<Class>(type)](Evaluator& own, const Arguments& arguments,
                                                        syntax::Range) {
    return member_of_value(own, *type.lock(), BoundArguments("Enum", arguments, {"value"}, 1)[0]);
  };
}

}  // namespace

std::shared_ptr<Class> named_tuple_base() {
  const auto type = make_type(kNamedTuple);
  add_method(*type, "__iter__", record_iterator);
  add_method(*type, "__getitem__", record_item);
  add_method(*type, "__len__", count);
  add_method(*type, "_replace", replace_fields);
  return type;
}

std::shared_ptr<Class> enum_base() { return make_type(kEnum); }

bool is_named_tuple(const Class& type) { return is_below(type, kNamedTuple); }

bool is_enum(const Class& type) { return is_below(type, kEnum); }

void finish_record(const std::shared_ptr<Class>& type) {
  if (is_named_tuple(*type)) make_dataclass(*type, /*frozen=*/true);
  if (is_enum(*type)) make_members(type);
}

std::string setter_of(const std::string& property) { return "@set " + property; }

Value as_tuple(Evaluator& evaluator, const Value& object) {
  Values items;
  for (const Field& field : std::get<std::shared_ptr<Object>>(object)->type->fields) {
    items.push_back(evaluator.attribute(object, field.name));
  }
  return make_tuple(std::move(items));
}

Value make_named_tuple(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("namedtuple", arguments, {"typename", "field_names", "*defaults"}, 2);
  constexpr std::int64_t kStepsOfClass = 2000;  // a class takes a few kilobytes
  evaluator.spend(kStepsOfClass);
  auto type = std::make_shared<Class>();
  type->name = to_text(bound[0], "typename");
  // The built-in classes that C++ knows by their names are no names of the source.
  if (!is_identifier(type->name)) {
    throw Mistake::of("ValueError", "Type names and field names must be valid identifiers");
  }
  const auto base = evaluator.attribute(evaluator.module("typing"), kNamedTuple);
  type->order = {type, *as<Class>(base)};
  Values names;
  if (const auto* text = std::get_if<std::string>(&bound[1])) {
    // Names may be separated by blanks or commas.
    std::string word;
    for (const char letter : *text + " ") {
      if (letter != ' ' && letter != ',') {
        word += letter;
      } else if (!word.empty()) {
        names.emplace_back(std::exchange(word, ""));
      }
    }
  } else {
    names = evaluator.items(bound[1]);
  }
  const Values defaults = bound.has(2) ? evaluator.items(bound[2]) : Values{};
  for (std::size_t i = 0; i < names.size(); ++i) {
    // typing.NamedTuple takes pairs of a name and a type.
    const Values* pair = sequence(names[i]);
    Field field{.name = to_text(pair ? pair->at(0) : names[i], "a field's name"),
                .annotation = nullptr,
                .fallback = {},
                .factory = {}};
    if (i + defaults.size() >= names.size()) {
      field.fallback = defaults[i + defaults.size() - names.size()];
    }
    type->fields.push_back(std::move(field));
  }
  make_record(*type, /*frozen=*/true);
  return type;
}

Value next_member(Evaluator&, const Arguments&) {
  auto object = std::make_shared<Object>();
  object->type = make_type(kAuto);
  return object;
}

}  // namespace knead::engine::model
