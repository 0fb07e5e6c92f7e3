#include "runner/engine/model/python/arguments.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/engine/model/python/evaluator/records.h"
#include "runner/engine/model/python/evaluator/settings.h"
#include "runner/syntax/classes.h"
#include "schema/document/problem.h"
#include "schema/document/suggest.h"

namespace knead::engine::model {

namespace {

/// The names that a call from a recipe accepts: the parameters of a function or an __init__, or the
/// fields of a dataclass.
struct Accepted {
  struct One {
    std::string name;
    const syntax::Expression* annotation = nullptr;
    std::optional<Value> fallback;
    bool required = true;
  };
  std::string name;  // of the class or function
  std::vector<One> names;
  bool anything = false;  // **kwargs
  const FileValues* file = nullptr;
};

/// Returns the names that a function accepts; the first `first` parameters, such as self, are given
/// by the call itself.
Accepted accepted_by(const Function& function, std::size_t first) {
  using Kind = syntax::Parameter::Kind;
  Accepted accepted{.name = function.name, .names = {}, .anything = false, .file = function.file};
  const auto& parameters = function.definition->parameters;
  std::size_t fallbacks = 0;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const syntax::Parameter& parameter = parameters[i];
    std::optional<Value> fallback;
    if (parameter.fallback) fallback = function.fallbacks.at(fallbacks++);
    if (i < first) continue;
    if (parameter.kind == Kind::keywords) accepted.anything = true;
    // A recipe gives arguments by name, so positional-only parameters, *args and **kwargs have no
    // name here.
    if (parameter.kind != Kind::ordinary && parameter.kind != Kind::keyword_only) continue;
    accepted.names.push_back(
        {parameter.name, parameter.annotation.get(), fallback, !fallback.has_value()});
  }
  return accepted;
}

Accepted accepted_by(const Class& type) {
  const Value* init = type.find("__init__");
  if (const Function* function = init == nullptr ? nullptr : function_of(*init)) {
    Accepted accepted = accepted_by(*function, 1);
    accepted.name = type.name;
    return accepted;
  }
  Accepted accepted{.name = type.name, .names = {}, .anything = false, .file = type.file};
  for (const Field& field : type.fields) {
    accepted.names.push_back(
        {field.name, field.annotation, field.fallback, !field.fallback && !field.factory});
  }
  // Without __init__ and fields, the constants of the class are what a map may set.
  accepted.anything = type.fields.empty() && !init;
  return accepted;
}

std::string listed_names(const std::vector<std::string_view>& names) {
  std::string text;
  for (const std::string_view name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text.empty() ? "none" : text;
}

/// Returns whether a map in a recipe can stand for an object of a class: a class of a file that is
/// neither a module nor an enumeration.
bool is_record(const Class& type) { return type.definition && !type.is_module && !is_enum(type); }

/// Returns the parts of a union: of `Optional[A]`, `Union[A, B]` and `A | B`; otherwise the
/// annotation alone.
std::vector<const syntax::Expression*> alternatives(const syntax::Expression* annotation) {
  if (!annotation) return {};
  std::vector<const syntax::Expression*> parts;
  const auto add = [&](const syntax::Expression& part) {
    for (const auto* one : alternatives(&part)) parts.push_back(one);
  };
  if (const auto* either = std::get_if<syntax::Binary>(&annotation->kind)) {
    add(*either->left);
    add(*either->right);
    return parts;
  }
  const auto* subscript = std::get_if<syntax::Subscript>(&annotation->kind);
  const std::string outer = subscript ? syntax::dotted_name(*subscript->value) : "";
  if (!outer.ends_with("Optional") && !outer.ends_with("Union")) return {annotation};
  if (const auto* several = std::get_if<syntax::Tuple>(&subscript->index->kind)) {
    for (const auto& one : several->items) add(one);
  } else {
    add(*subscript->index);
  }
  return parts;
}

/// Returns the name of the type that an annotation without alternatives stands for: "Tuple" for
/// `typing.Tuple[int, int]`, "Config" for `"Config"`.
std::string type_of_annotation(const syntax::Expression& annotation) {
  if (const auto* quoted = std::get_if<syntax::String>(&annotation.kind)) return quoted->value;
  const auto* subscript = std::get_if<syntax::Subscript>(&annotation.kind);
  const std::string name = syntax::dotted_name(subscript ? *subscript->value : annotation);
  return name.substr(name.rfind('.') + 1);
}

/// Returns whether one alternative of an annotation is one of these types.
bool says(const syntax::Expression* annotation, std::initializer_list<std::string_view> types) {
  const auto parts = alternatives(annotation);
  return std::any_of(parts.begin(), parts.end(), [&](const syntax::Expression* part) {
    return std::find(types.begin(), types.end(), type_of_annotation(*part)) != types.end();
  });
}

/// Returns whether a parameter is a float, by its annotation or else its default. In YAML 0 and 0.0
/// are one number, and compiled code tells int from float.
bool is_float(const Accepted::One& parameter) {
  if (parameter.annotation)
    return says(parameter.annotation, {"float"}) && !says(parameter.annotation, {"int"});
  return parameter.fallback && std::holds_alternative<double>(*parameter.fallback);
}

/// Returns the record class that an annotation names; null if it names none.
std::shared_ptr<Class> record_of(const syntax::Expression* annotation, const FileValues& file) {
  for (const syntax::Expression* part : alternatives(annotation)) {
    const Value* value = file.globals->find(type_of_annotation(*part));
    const auto* type = value == nullptr ? nullptr : as<Class>(*value);
    if (type != nullptr && is_record(**type)) return *type;
  }
  return nullptr;
}

bool has_field(const Class& type, const std::string& name) {
  return std::any_of(type.fields.begin(), type.fields.end(),
                     [&](const Field& field) { return field.name == name; });
}

/// Returns the record class for a map without annotation: the only dataclass of the file that has
/// at least half of the keys as fields. Returns null if there is no such class or more than one.
std::shared_ptr<Class> record_with(const schema::Node& map, const FileValues& file) {
  std::shared_ptr<Class> found;
  for (const auto& [name, value] : file.globals->names) {
    const auto* type = as<Class>(value);
    if (type == nullptr || !(*type)->is_dataclass || *type == found) continue;
    const auto known =
        std::count_if(map.entries.begin(), map.entries.end(),
                      [&](const schema::Entry& entry) { return has_field(**type, entry.key); });
    if (known == 0 || 2 * static_cast<std::size_t>(known) < map.entries.size()) continue;
    if (found) return nullptr;
    found = *type;
  }
  return found;
}

void add_problem(schema::Problems& problems, const char* code, const schema::Place& place,
                 std::string message, std::string hint) {
  problems.push_back(
      {.code = code, .place = place, .message = std::move(message), .hint = std::move(hint)});
}

NamedValues named(Evaluator& evaluator, const Accepted& accepted, const schema::Node& map,
                  schema::Problems& problems);

Value to_value(Evaluator& evaluator, const schema::Node& node, const Accepted::One& parameter,
               const FileValues& file, schema::Problems& problems);

Value record(Evaluator& evaluator, const std::shared_ptr<Class>& type, const schema::Node& map,
             schema::Problems& problems) {
  NamedValues values = named(evaluator, accepted_by(*type), map, problems);
  if (!problems.empty()) return None{};
  const bool has_constants_only = type->fields.empty() && !type->find("__init__");
  if (!has_constants_only)
    return evaluator.construct(type, {.positional = {}, .named = std::move(values)}, {});
  Value object = evaluator.construct(type, {}, {});
  for (auto& [name, value] : values) evaluator.set_attribute(object, name, std::move(value));
  return object;
}

NamedValues named(Evaluator& evaluator, const Accepted& accepted, const schema::Node& map,
                  schema::Problems& problems) {
  std::vector<std::string_view> known;
  for (const auto& one : accepted.names) known.push_back(one.name);

  NamedValues values;
  for (const schema::Entry& entry : map.entries) {
    const auto found = std::find_if(accepted.names.begin(), accepted.names.end(),
                                    [&](const auto& one) { return one.name == entry.key; });
    if (found == accepted.names.end() && !accepted.anything) {
      add_problem(problems, "unknown-argument", entry.place,
                  fmt::format("{} takes no argument '{}'", accepted.name, entry.key),
                  schema::did_you_mean(entry.key, known, "it takes " + listed_names(known)));
      continue;
    }
    const Accepted::One parameter = found == accepted.names.end() ? Accepted::One{} : *found;
    values.emplace_back(entry.key,
                        to_value(evaluator, entry.value, parameter, *accepted.file, problems));
  }
  // A misspelt name makes the right one missing, so missing arguments are reported only without
  // unknown ones.
  if (!problems.empty()) return values;
  for (const auto& one : accepted.names) {
    if (!one.required || map.find(one.name) != nullptr) continue;
    if (!map.place.source) {  // model.args is absent, so the function is the place
      throw Mistake(fmt::format("{}() needs the argument '{}'", accepted.name, one.name),
                    fmt::format("write model.args: {{{}: …}}", one.name));
    }
    add_problem(problems, "missing-argument", map.place,
                fmt::format("{} needs the argument '{}'", accepted.name, one.name), "");
  }
  return values;
}

/// Returns the parameter that an item of a list stands for: of `list[Config]` a Config.
Accepted::One item_of(const Accepted::One& parameter) {
  for (const syntax::Expression* part : alternatives(parameter.annotation)) {
    if (const auto* subscript = std::get_if<syntax::Subscript>(&part->kind))
      return {.name = "", .annotation = subscript->index.get(), .fallback = {}};
  }
  return {};
}

Value list_of(Evaluator& evaluator, const schema::Node& node, const Accepted::One& parameter,
              const FileValues& file, schema::Problems& problems) {
  Values items;
  for (const schema::Node& item : node.items) {
    items.push_back(to_value(evaluator, item, item_of(parameter), file, problems));
  }
  const auto& fallback = parameter.fallback;
  const bool is_tuple =
      says(parameter.annotation, {"tuple", "Tuple"}) || (fallback && as<Tuple>(*fallback));
  if (is_tuple) return make_tuple(std::move(items));
  const bool is_list = says(parameter.annotation, {"list", "List", "Sequence", "Iterable"}) ||
                       (fallback && as<List>(*fallback));
  return std::make_shared<List>(List{.items = std::move(items), .passes_for_tuple = !is_list});
}

Value map_of(Evaluator& evaluator, const schema::Node& node, const Accepted::One& parameter,
             const FileValues& file, schema::Problems& problems) {
  const auto type =
      parameter.annotation ? record_of(parameter.annotation, file) : record_with(node, file);
  if (type) return record(evaluator, type, node, problems);
  const bool is_dict = says(parameter.annotation, {"dict", "Dict", "Mapping", "OrderedDict"}) ||
                       (parameter.fallback && as<Dict>(*parameter.fallback));
  NamedValues entries;
  // What is in a dict consists of dicts, and what is in settings of settings.
  Accepted::One inner;
  if (is_dict) inner.fallback = std::make_shared<Dict>();
  for (const schema::Entry& entry : node.entries) {
    entries.emplace_back(entry.key, to_value(evaluator, entry.value, inner, file, problems));
  }
  if (!is_dict) return make_settings(std::move(entries));
  auto dict = std::make_shared<Dict>();
  for (auto& [key, value] : entries) dict->items.emplace_back(key, std::move(value));
  return dict;
}

/// Converts a value of a recipe for a parameter. Adds what does not fit to `problems`, with its
/// place in the recipe; an object is then not constructed, and its value is None.
Value to_value(Evaluator& evaluator, const schema::Node& node, const Accepted::One& parameter,
               const FileValues& file, schema::Problems& problems) {
  switch (node.kind) {
    case schema::Node::Kind::null: return None{};
    case schema::Node::Kind::boolean: return node.boolean;
    case schema::Node::Kind::integer:
      if (is_float(parameter)) return static_cast<double>(node.integer);
      return node.integer;
    case schema::Node::Kind::number: return node.number;
    case schema::Node::Kind::text: return node.text;
    case schema::Node::Kind::list: return list_of(evaluator, node, parameter, file, problems);
    case schema::Node::Kind::map: return map_of(evaluator, node, parameter, file, problems);
  }
  return None{};
}

Arguments arguments_for(Evaluator& evaluator, const Accepted& accepted, const schema::Node& args) {
  schema::Problems problems;
  Arguments arguments{.positional = {}, .named = named(evaluator, accepted, args, problems)};
  if (problems.empty()) return arguments;
  schema::tidy(problems);
  throw schema::InvalidRecipe(std::move(problems));
}

}  // namespace

Arguments to_arguments(Evaluator& evaluator, const Class& type, const schema::Node& args) {
  return arguments_for(evaluator, accepted_by(type), args);
}

Arguments to_arguments(Evaluator& evaluator, const Function& function, const schema::Node& args) {
  return arguments_for(evaluator, accepted_by(function, 0), args);
}

}  // namespace knead::engine::model
