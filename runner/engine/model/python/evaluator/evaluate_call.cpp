#include <fmt/format.h>

#include "runner/engine/model/python/evaluator/evaluator.h"
#include "runner/engine/model/python/evaluator/native.h"
#include "runner/engine/model/python/words/qualified_name.h"
#include "runner/engine/model/values/call_binding.h"
#include "runner/syntax/binding/bind_call.h"

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

/// Returns the tuple for *args: the positional arguments that no parameter takes.
Value rest_of_positional(const syntax::RestOfPositional& rest, const Arguments& arguments) {
  const auto begin = arguments.positional.begin() + static_cast<std::ptrdiff_t>(rest.begin);
  return make_tuple(Values(begin, arguments.positional.end()));
}

/// Returns the dict for **kwargs: the named arguments that no parameter takes.
Value rest_of_keywords(const syntax::RestOfKeywords& rest, const Arguments& arguments) {
  auto dict = std::make_shared<Dict>();
  for (const std::size_t index : rest.indices) {
    const auto& [name, value] = arguments.named[index];
    dict->items.emplace_back(name, value);
  }
  return dict;
}

}  // namespace

void Evaluator::bind(const Function& function, const Arguments& arguments, Scope& scope) {
  const auto& parameters = parameters_of(function);
  const auto shapes = syntax::shapes_of(parameters);
  const syntax::Binding binding = syntax::bind_call(shapes, shape_of(arguments));
  if (const auto* fault = std::get_if<syntax::Fault>(&binding)) {
    throw wrong_call(qualified(function, arguments), *fault);
  }
  const auto& slots = std::get<std::vector<syntax::Slot>>(binding);
  std::size_t fallback = 0;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const syntax::Parameter& parameter = parameters[i];
    const Value* value = parameter.fallback ? &function.fallbacks[fallback++] : nullptr;
    if (const auto* rest = std::get_if<syntax::RestOfPositional>(&slots[i])) {
      scope.set(parameter.name, rest_of_positional(*rest, arguments));
      continue;
    }
    if (const auto* rest = std::get_if<syntax::RestOfKeywords>(&slots[i])) {
      scope.set(parameter.name, rest_of_keywords(*rest, arguments));
      continue;
    }
    if (const Value* given = argument_in(slots[i], arguments)) value = given;
    // Python ignores annotations, and so do the functions of a user.
    if (parameter.annotation && is_layer(*function.file)) {
      check_kind(function, arguments, parameter, *value);
    }
    scope.set(parameter.name, *value);
  }
}

}  // namespace knead::engine::model
