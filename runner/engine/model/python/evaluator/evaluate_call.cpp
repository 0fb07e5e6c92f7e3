#include <algorithm>

#include <fmt/format.h>

#include "runner/engine/model/python/evaluator/evaluator.h"
#include "runner/engine/model/python/evaluator/native.h"
#include "runner/engine/model/python/evaluator/qualified_name.h"

namespace knead::engine::model {

namespace {

using Kind = syntax::Parameter::Kind;

const std::vector<syntax::Parameter>& parameters_of(const Function& function) {
  return function.lambda != nullptr ? function.lambda->parameters : function.definition->parameters;
}

/// Returns the name of a function for messages, after the class of self.
std::string qualified(const Function& function, const Arguments& arguments) {
  const bool has_first = !arguments.positional.empty();
  const auto* self = has_first ? as<Object>(arguments.positional[0]) : nullptr;
  return qualified_name(function, self ? (*self)->type.get() : nullptr);
}

/// Joins names as Python does: "'a', 'b', and 'c'".
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += names.size() == 2 ? " and " : i + 1 == names.size() ? ", and " : ", ";
    text += "'" + names[i] + "'";
  }
  return text;
}

/// Reports missing arguments in the words of Python.
[[noreturn]] void missing(const Function& function, const Arguments& arguments,
                          const std::vector<std::string>& names, std::string_view kind) {
  throw Mistake(fmt::format("{}() missing {} required {} argument{}: {}",
                            qualified(function, arguments), names.size(), kind,
                            names.size() == 1 ? "" : "s", listed(names)));
}

/// Reports too many positional arguments: "takes from 2 to 3 positional arguments but 5 were
/// given".
[[noreturn]] void too_many(const Function& function, const Arguments& arguments) {
  const std::size_t given = arguments.positional.size();
  std::size_t most = 0;
  std::size_t least = 0;
  for (const syntax::Parameter& parameter : parameters_of(function)) {
    if (parameter.kind != Kind::ordinary && parameter.kind != Kind::positional_only) continue;
    ++most;
    if (!parameter.fallback) ++least;
  }
  const std::string range =
      least == most ? std::to_string(most) : fmt::format("from {} to {}", least, most);
  throw Mistake(fmt::format("{}() takes {} positional argument{} but {} {} given",
                            qualified(function, arguments), range, range == "1" ? "" : "s", given,
                            given == 1 ? "was" : "were"));
}

/// Removes the argument of a parameter from the named ones and returns it.
std::optional<Value> take(NamedValues& named, const std::string& name) {
  const auto found = std::find_if(named.begin(), named.end(),
                                  [&](const auto& entry) { return entry.first == name; });
  if (found == named.end()) return std::nullopt;
  Value value = std::move(found->second);
  named.erase(found);
  return value;
}

/// Checks an argument of a layer against its annotation int or float. Without this check a wrong
/// type fails deep inside the layer.
void check_kind(const Function& function, const Arguments& arguments,
                const syntax::Parameter& parameter, const Value& value) {
  const auto* type = std::get_if<syntax::Name>(&parameter.annotation->kind);
  const bool is_text_for_number = type && type->id == "float" && is_text(value);
  const bool is_no_integer = type && type->id == "int" && !is_integer(value) &&
                             (is_number(value) || is_text(value) || sequence(value));
  if (!is_text_for_number && !is_no_integer) return;
  throw Mistake(
      fmt::format("{}(): '{}' must be {}, not {}", qualified(function, arguments), parameter.name,
                  type->id == "int" ? "an int" : "a float", type_name(value)),
      std::holds_alternative<double>(value) ? "write a // b for a whole number, or int(…)" : "");
}

/// Reports an unknown named argument.
[[noreturn]] void unexpected(const Function& function, const Arguments& arguments,
                             const std::string& name) {
  std::vector<std::string_view> known;
  for (const syntax::Parameter& parameter : parameters_of(function))
    known.push_back(parameter.name);
  throw Mistake(fmt::format("{}() got an unexpected keyword argument '{}'",
                            qualified(function, arguments), name),
                did_you_mean(name, known));
}

}  // namespace

// All missing parameters are collected before the error, because Python names them together.
void Evaluator::bind(const Function& function, const Arguments& arguments, Scope& scope) {
  NamedValues named = arguments.named;
  std::size_t given = 0;
  std::size_t fallback = 0;
  std::vector<std::string> missing_positional;
  std::vector<std::string> missing_named;
  bool takes_rest = false;
  bool takes_names = false;

  for (const syntax::Parameter& parameter : parameters_of(function)) {
    const Value* otherwise = parameter.fallback ? &function.fallbacks[fallback++] : nullptr;
    if (parameter.kind == Kind::rest) {
      takes_rest = true;
      // A bare `*` takes no arguments; further positional ones are then too many.
      const auto begin = arguments.positional.begin() + static_cast<std::ptrdiff_t>(given);
      if (parameter.name.empty()) {
        takes_rest = false;
      } else {
        scope.set(parameter.name, make_tuple(Values(begin, arguments.positional.end())));
      }
      continue;
    }
    if (parameter.kind == Kind::keywords) {
      takes_names = true;
      auto rest = std::make_shared<Dict>();
      for (auto& [name, value] : named) rest->items.emplace_back(name, value);
      named.clear();
      scope.set(parameter.name, rest);
      continue;
    }
    const bool by_position = parameter.kind != Kind::keyword_only;
    std::optional<Value> value;
    if (by_position && given < arguments.positional.size()) value = arguments.positional[given++];
    if (parameter.kind != Kind::positional_only) {
      std::optional<Value> by_name = take(named, parameter.name);
      if (by_name && value) {
        throw Mistake(fmt::format("{}() got multiple values for argument '{}'",
                                  qualified(function, arguments), parameter.name));
      }
      if (by_name) value = std::move(by_name);
    }
    if (!value && otherwise != nullptr) value = *otherwise;
    if (value) {
      if (parameter.annotation && is_layer(*function.file))
        check_kind(function, arguments, parameter, *value);
      scope.set(parameter.name, std::move(*value));
    } else {
      (by_position ? missing_positional : missing_named).push_back(parameter.name);
    }
  }
  if (!named.empty() && !takes_names) unexpected(function, arguments, named.front().first);
  if (given < arguments.positional.size() && !takes_rest) {
    too_many(function, arguments);
  }
  if (!missing_positional.empty()) missing(function, arguments, missing_positional, "positional");
  if (!missing_named.empty()) missing(function, arguments, missing_named, "keyword-only");
}

}  // namespace knead::engine::model
