#include "runner/engine/model/python/evaluator/arguments.h"

#include <algorithm>

#include <fmt/format.h>

#include "schema/document/suggest.h"

namespace knead::engine::model {

namespace {

/// The names that a call from a recipe accepts: the parameters of a function or an __init__, or the
/// fields of a dataclass.
struct Accepted {
  struct One {
    std::string name;
    const syntax::Expression* annotation = nullptr;
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
  for (std::size_t i = first; i < parameters.size(); ++i) {
    const syntax::Parameter& parameter = parameters[i];
    if (parameter.kind == Kind::keywords) accepted.anything = true;
    // A recipe gives arguments by name, so positional-only parameters, *args and **kwargs have no
    // name here.
    if (parameter.kind != Kind::ordinary && parameter.kind != Kind::keyword_only) continue;
    accepted.names.push_back(
        {parameter.name, parameter.annotation.get(), parameter.fallback == nullptr});
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
    accepted.names.push_back({field.name, field.annotation, !field.fallback && !field.factory});
  }
  return accepted;
}

std::string listed_names(const std::vector<std::string_view>& names) {
  std::string text;
  for (const std::string_view name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text.empty() ? "none" : text;
}

/// Returns whether a map in a recipe can stand for an object of a class: a dataclass, or a class of
/// the file without bases.
bool is_record(const Class& type) {
  return type.is_dataclass || (type.definition != nullptr && type.definition->bases.empty());
}

/// Returns the record class that an annotation names directly or as `Optional[…]`, `… | None` or a
/// quoted name; null if it names none.
std::shared_ptr<Class> record_of(const syntax::Expression* annotation, const FileValues& file) {
  if (annotation == nullptr) return nullptr;
  std::string name;
  if (const auto* written = std::get_if<syntax::Name>(&annotation->kind)) name = written->id;
  if (const auto* quoted = std::get_if<syntax::String>(&annotation->kind)) name = quoted->value;
  if (const auto* either = std::get_if<syntax::Binary>(&annotation->kind)) {
    if (auto found = record_of(either->left.get(), file)) return found;
    return record_of(either->right.get(), file);
  }
  if (const auto* subscript = std::get_if<syntax::Subscript>(&annotation->kind)) {
    const auto* outer = std::get_if<syntax::Name>(&subscript->value->kind);
    if (outer && outer->id == "Optional") return record_of(subscript->index.get(), file);
  }
  const Value* value = name.empty() ? nullptr : file.globals->find(name);
  const auto* type = value == nullptr ? nullptr : as<Class>(*value);
  return type != nullptr && is_record(**type) ? *type : nullptr;
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

/// Returns the annotation of the items, Config for `list[Config]`; null if there is none.
const syntax::Expression* item_annotation(const syntax::Expression* annotation) {
  const auto* subscript = annotation ? std::get_if<syntax::Subscript>(&annotation->kind) : nullptr;
  return subscript == nullptr ? nullptr : subscript->index.get();
}

void add_problem(schema::Problems& problems, const char* code, const schema::Place& place,
                 std::string message, std::string hint) {
  problems.push_back(
      {.code = code, .place = place, .message = std::move(message), .hint = std::move(hint)});
}

NamedValues named(Evaluator& evaluator, const Accepted& accepted, const schema::Node& map,
                  schema::Problems& problems);

Value record(Evaluator& evaluator, const std::shared_ptr<Class>& type, const schema::Node& map,
             schema::Problems& problems) {
  Arguments arguments{.positional = {},
                      .named = named(evaluator, accepted_by(*type), map, problems)};
  return problems.empty() ? evaluator.construct(type, arguments, {}) : Value{None{}};
}

Value argument(Evaluator& evaluator, const schema::Node& node, const syntax::Expression* annotation,
               const FileValues& file, schema::Problems& problems) {
  // Only an argument without annotation is matched by its keys.
  const bool is_untold = annotation == nullptr && node.is_map();
  const auto type = is_untold ? record_with(node, file) : nullptr;
  if (type) return record(evaluator, type, node, problems);
  return to_value(evaluator, node, annotation, file, problems);
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
    const auto* annotation = found == accepted.names.end() ? nullptr : found->annotation;
    values.emplace_back(entry.key,
                        argument(evaluator, entry.value, annotation, *accepted.file, problems));
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

}  // namespace

Value to_value(Evaluator& evaluator, const schema::Node& node, const syntax::Expression* annotation,
               const FileValues& file, schema::Problems& problems) {
  switch (node.kind) {
    case schema::Node::Kind::null: return None{};
    case schema::Node::Kind::boolean: return node.boolean;
    case schema::Node::Kind::integer: return node.integer;
    case schema::Node::Kind::number: return node.number;
    case schema::Node::Kind::text: return node.text;
    case schema::Node::Kind::list: {
      Values items;
      for (const schema::Node& item : node.items) {
        items.push_back(to_value(evaluator, item, item_annotation(annotation), file, problems));
      }
      return make_list(std::move(items));
    }
    case schema::Node::Kind::map: break;
  }
  if (const auto type = record_of(annotation, file)) {
    return record(evaluator, type, node, problems);
  }
  auto dict = std::make_shared<Dict>();
  for (const schema::Entry& entry : node.entries) {
    dict->items.emplace_back(entry.key, to_value(evaluator, entry.value, nullptr, file, problems));
  }
  return dict;
}

namespace {

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
