#include "runner/engine/model/python/evaluator/dataclass.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/engine/model/python/evaluator/module.h"
#include "runner/engine/model/python/evaluator/native.h"
#include "runner/engine/model/values/bound_arguments.h"

namespace knead::engine::model {

namespace {

constexpr const char* kField = "field()";  // class of the objects that field(…) returns

/// Implements the generated __init__: sets the fields from the arguments in order and calls
/// __post_init__.
Value set_fields(Evaluator& evaluator, const Arguments& arguments) {
  const auto object = std::get<std::shared_ptr<Object>>(arguments.positional.at(0));
  std::vector<std::string_view> names{"self"};
  for (const Field& field : object->type->fields) names.push_back(field.name);
  std::size_t required = 1;
  for (std::size_t i = 0; i < object->type->fields.size(); ++i) {
    const Field& field = object->type->fields[i];
    if (!field.fallback && !field.factory) required = i + 2;
  }
  const BoundArguments bound(object->type->name + ".__init__", arguments, names, required);
  for (std::size_t i = 0; i < object->type->fields.size(); ++i) {
    const Field& field = object->type->fields[i];
    Value value = None{};
    if (bound.has(i + 1)) {
      value = bound[i + 1];
    } else if (field.factory) {
      value = evaluator.call(*field.factory, {});
    } else {
      value = *field.fallback;
    }
    set_plain_attribute(*object, field.name, std::move(value));
  }
  evaluator.call_method(object, "__post_init__");
  return None{};
}

/// Adds a field or replaces the field of that name, which keeps its position.
void set_field(std::vector<Field>& fields, Field field) {
  const auto there = std::find_if(fields.begin(), fields.end(),
                                  [&](const Field& one) { return one.name == field.name; });
  if (there == fields.end()) {
    fields.push_back(std::move(field));
  } else {
    *there = std::move(field);
  }
}

/// Returns whether an annotation is ClassVar; such a name is not a field.
bool is_class_variable(const syntax::Expression& annotation) {
  const auto* subscript = std::get_if<syntax::Subscript>(&annotation.kind);
  const auto* name =
      std::get_if<syntax::Name>(subscript ? &subscript->value->kind : &annotation.kind);
  return name != nullptr && name->id == "ClassVar";
}

/// Returns the field of an annotated name with its default: a value, or field(default=…,
/// default_factory=…).
Field made_of(const std::string& name, const syntax::Expression& annotation, const Value* value) {
  Field field{.name = name, .annotation = &annotation, .fallback = {}, .factory = {}};
  if (value == nullptr) return field;
  const auto* object = as<Object>(*value);
  if (object == nullptr || (*object)->type->name != kField) {
    if (as<List>(*value) || as<Dict>(*value) || as<Set>(*value)) {
      throw Mistake(
          fmt::format("mutable default {} for field {} is not allowed: use default_factory",
                      type_name(*value), name));
    }
    field.fallback = *value;
    return field;
  }
  for (const auto& [option, given] : (*object)->attributes) {
    (option == "default" ? field.fallback : field.factory) = given;
  }
  return field;
}

Value make_field(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound(
      "field", arguments,
      {"*default", "*default_factory", "*repr", "*init", "*compare", "*metadata"}, 0);
  auto field = std::make_shared<Object>();
  field->type = make_type(kField);
  if (bound.has(3) && !bound.flag(3, true)) {
    throw Mistake("field(init=False) is not part of the language of models",
                  "Set it in __post_init__ as a plain attribute.");
  }
  if (bound.has(0)) set_plain_attribute(*field, "default", bound[0]);
  if (bound.has(1)) set_plain_attribute(*field, "default_factory", bound[1]);
  return field;
}

/// Makes a dataclass of a class of the file and returns it.
Value decorated(const Value& value, bool frozen) {
  const auto* type = as<Class>(value);
  if (type == nullptr || (*type)->definition == nullptr)
    throw Mistake("dataclass() takes a class of the file");
  make_dataclass(**type, frozen);
  return value;
}

/// Implements @dataclass and @dataclass(frozen=True).
Value dataclass(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound(
      "dataclass", arguments,
      {"cls", "*frozen", "*eq", "*repr", "*order", "*slots", "*kw_only", "*init"}, 0);
  const bool frozen = bound.flag(1, false);
  if (bound.has(0)) return decorated(bound[0], frozen);
  return make_builtin("dataclass", [frozen](Evaluator&, const Arguments& inner, syntax::Range) {
    return decorated(BoundArguments("dataclass", inner, {"cls"}, 1)[0], frozen);
  });
}

/// Returns the dataclass object in a value; throws Mistake for other values.
std::shared_ptr<Object> dataclass_object(const Value& value, std::string_view function) {
  const auto* object = as<Object>(value);
  if (object == nullptr || !(*object)->type->is_dataclass) {
    throw Mistake(fmt::format("{}() should be called on dataclass instances", function));
  }
  return *object;
}

Value as_dict(Evaluator& evaluator, const Arguments& arguments) {
  const auto record =
      dataclass_object(BoundArguments("asdict", arguments, {"obj"}, 1)[0], "asdict");
  auto dict = std::make_shared<Dict>();
  for (const Field& field : record->type->fields) {
    Value value = evaluator.attribute(record, field.name);
    const auto* inner = as<Object>(value);
    if (inner && (*inner)->type->is_dataclass) value = as_dict(evaluator, {{value}, {}});
    evaluator.set_key(*dict, field.name, deep_copy(evaluator, value));
  }
  return dict;
}

}  // namespace

Value replace_fields(Evaluator& evaluator, const Arguments& arguments) {
  if (arguments.positional.size() != 1) throw Mistake("replace() takes one positional argument");
  const auto record = dataclass_object(arguments.positional[0], "replace");
  Arguments all{.positional = {}, .named = arguments.named};
  for (const Field& field : record->type->fields) {
    const bool given = std::any_of(all.named.begin(), all.named.end(),
                                   [&](const auto& entry) { return entry.first == field.name; });
    if (given) continue;
    all.named.emplace_back(field.name, evaluator.attribute(record, field.name));
    evaluator.spend(text_steps(all.named.back().second));  // a text is copied with its value
  }
  return evaluator.call(record->type, all);
}

void make_record(Class& type, bool frozen) {
  type.is_dataclass = true;
  type.is_frozen = frozen;
  const bool has_own = std::any_of(type.members.begin(), type.members.end(),
                                   [](const auto& member) { return member.first == "__init__"; });
  if (!has_own) add_method(type, "__init__", set_fields);
}

void make_dataclass(Class& type, bool frozen) {
  // Fields of the most distant base come first; a field that is defined again keeps its position,
  // as in Python.
  for (auto base = type.order.rbegin(); base != type.order.rend(); ++base) {
    if (base->get() == &type) break;
    for (const Field& field : (*base)->fields) set_field(type.fields, field);
  }
  for (const syntax::Statement& statement : type.definition->body) {
    const auto* assign = std::get_if<syntax::AnnotatedAssign>(&statement.kind);
    const auto* name = assign ? std::get_if<syntax::Name>(&assign->target.kind) : nullptr;
    if (name == nullptr || is_class_variable(assign->annotation)) continue;
    const Value* value = assign->value ? type.find(name->id) : nullptr;
    set_field(type.fields, made_of(name->id, assign->annotation, value));
  }
  bool optional = false;
  for (const Field& field : type.fields) {
    const bool has_value = field.fallback || field.factory;
    if (optional && !has_value) {
      throw Mistake(fmt::format("non-default argument '{}' follows default argument", field.name));
    }
    optional = optional || has_value;
    // Without a default the name must not stay a class member, where field() left an object.
    std::erase_if(type.members, [&](const auto& member) {
      return member.first == field.name && !field.fallback;
    });
  }
  make_record(type, frozen);
}

std::shared_ptr<Namespace> dataclasses_module() {
  const auto names = make_namespace("dataclasses");
  add_function(*names, "dataclass", dataclass);
  add_function(*names, "field", make_field);
  add_function(*names, "replace", replace_fields);
  add_function(*names, "asdict", as_dict);
  return names;
}

}  // namespace knead::engine::model
