#include "runner/engine/model/compile/call.h"

#include <algorithm>

#include <fmt/format.h>

#include "runner/engine/model/compile/annotation.h"
#include "runner/engine/model/compile/sugar.h"
#include "runner/engine/model/python/words/qualified_name.h"
#include "runner/engine/model/values/call_binding.h"
#include "runner/syntax/binding/words.h"

namespace knead::engine::model {
namespace {

using Kind = syntax::Parameter::Kind;

/// Returns whether a value is a constant of this kind in the graph.
bool is_constant_of(const jit::Value* value, c10::TypeKind kind) {
  return value->node()->kind() == c10::prim::Constant && value->type()->kind() == kind;
}

/// Returns a bool, text or None that the caller writes as a constant, as in `self.block(x,
/// return_mask=True)`. Such an argument decides what is compiled.
std::optional<Value> known_choice(jit::Value* value) {
  if (is_constant_of(value, c10::TypeKind::NoneType)) return Value(None{});
  const auto constant = jit::toIValue(value);
  if (!constant) return std::nullopt;
  if (is_constant_of(value, c10::TypeKind::BoolType)) return Value(constant->toBool());
  if (is_constant_of(value, c10::TypeKind::StringType)) return Value(constant->toStringRef());
  return std::nullopt;
}

/// Returns whether a value is mutable. Mutable values cannot be compiled as constants.
bool can_change(const Value& value) {
  return is_tensor(value) || as<List>(value) || as<Dict>(value) || as<Set>(value);
}

/// Returns the type that a parameter gets. Python ignores annotations, so an annotation can only
/// widen the type of the argument.
c10::TypePtr type_of_argument(const c10::TypePtr& actual, const c10::TypePtr& annotated) {
  if (!annotated) return c10::unshapedType(actual);
  const bool to_list =
      annotated->kind() == c10::TypeKind::ListType &&
      (actual->kind() == c10::TypeKind::TupleType || actual->kind() == c10::TypeKind::ListType);
  return actual->isSubtypeOf(*annotated) || to_list ? annotated : c10::unshapedType(actual);
}

}  // namespace

syntax::ArgumentShape shape_of(at::ArrayRef<jit::NamedValue> arguments,
                               at::ArrayRef<jit::NamedValue> named) {
  syntax::ArgumentShape shape;
  shape.positional = arguments.size();
  for (const auto& argument : named) shape.keywords.push_back(argument.name());
  return shape;
}

void Compiler::Call::refuse(const std::string& problem, const std::string& remedy) const {
  const Class* of = self ? self->example->type.get() : nullptr;
  compiler.refuse(at, fmt::format("{}() {}", model::qualified_name(*callee, of), problem), remedy);
}

std::string Compiler::Call::remedy_for(const syntax::Fault& fault) const {
  const auto& all = parameters_of(*callee);
  const bool lacks_self = self && (all.empty() || all[0].name != "self");
  if (lacks_self && std::holds_alternative<syntax::TooManyPositional>(fault)) {
    return fmt::format("a method gets its object first: def {}(self, …)", callee->name);
  }
  return remedy(fault);
}

// Python counts self among the positional arguments.
std::vector<syntax::Slot> Compiler::Call::slots() const {
  syntax::ArgumentShape shape = shape_of(arguments, named);
  shape.keywords.resize(shape.keywords.size() - callee->captures.size());
  if (self) ++shape.positional;
  const auto shapes = syntax::shapes_of(parameters_of(*callee));
  syntax::Binding binding = syntax::bind_call(shapes, shape);
  if (const auto* fault = std::get_if<syntax::Fault>(&binding)) {
    refuse(syntax::python_words(*fault), remedy_for(*fault));
  }
  return std::get<std::vector<syntax::Slot>>(std::move(binding));
}

/// Returns what a parameter gets; null for a default and for **kwargs, which is an empty dict.
jit::Value* Compiler::Call::argument_in(const syntax::Slot& slot) const {
  const std::size_t object = self ? 1 : 0;
  if (const auto* one = std::get_if<syntax::ByPosition>(&slot)) {
    return arguments[one->index - object].value(graph);
  }
  if (const auto* one = std::get_if<syntax::ByName>(&slot)) return named[one->index].value(graph);
  const auto* rest = std::get_if<syntax::RestOfPositional>(&slot);
  if (!rest) return nullptr;
  std::vector<jit::Value*> values;
  for (const auto& argument : arguments.slice(rest->begin - object)) {
    values.push_back(argument.value(graph));
  }
  return graph.insertNode(graph.createTuple(values))->output();
}

void Compiler::Call::bind() {
  const auto& all = parameters_of(*callee);
  const std::vector<syntax::Slot> slots = this->slots();
  std::size_t fallback = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Value* otherwise = all[i].fallback ? &callee->fallbacks.at(fallback++) : nullptr;
    if (self && i == 0) {
      if (std::holds_alternative<syntax::ByPosition>(slots[0])) continue;
      refuse(fmt::format("takes its object in '*{}'", all[0].name),
             fmt::format("a method gets its object first: def {}(self, …)", callee->name));
    }
    if (const auto* others = std::get_if<syntax::RestOfKeywords>(&slots[i]);
        others && !others->indices.empty()) {
      const std::string& other = named[others->indices[0]].name();
      refuse(fmt::format("cannot take the argument '{}' in '**{}'", other, all[i].name),
             fmt::format("give it a parameter '{}'", other));
    }
    Parameter& parameter = parameters.emplace_back();
    parameter.parameter = &all[i];
    parameter.fallback = otherwise;
    parameter.given = argument_in(slots[i]);
  }
  for (const std::string& variable : callee->captures) {
    const auto given = std::find_if(named.begin(), named.end(), [&](const jit::NamedValue& one) {
      return one.name() == captured_name(variable);
    });
    if (given == named.end()) refuse(fmt::format("reads '{}', which is not known here", variable));
    captured.push_back({.name = variable, .range = {}, .annotation = {}, .fallback = {}});
    parameters.push_back({.parameter = &captured.back(), .given = given->value(graph)});
  }
}

// Decides which parameters are constants of the specialisation, and the types of the others.
void Compiler::Call::decide() {
  const Facts facts = read_facts(*callee);
  for (Parameter& parameter : parameters) {
    const auto& written = *parameter.parameter;
    if (take_other(parameter)) continue;
    if (!parameter.given && written.kind == Kind::keywords) continue;
    std::optional<Value> value;
    if (parameter.given) {
      value = known_choice(parameter.given);
    } else {
      value = *parameter.fallback;
    }
    // A captured variable is not assigned in the function.
    const auto assigned = facts.assigned.find(written.name);
    const bool stays = assigned == facts.assigned.end() || assigned->second == 1;
    c10::TypePtr annotated;
    if (written.annotation) {
      annotated = type_of_annotation(*written.annotation, compiler.find_name(*callee));
    }
    if (value && !can_change(*value)) parameter.fixed = value;
    parameter.passed = !parameter.fixed || !stays;
    if (!parameter.passed) continue;
    if (!parameter.given) {
      const auto typed = to_typed(*value, annotated, compiler.shared_);
      if (!typed) refuse(fmt::format("needs the argument '{}' here", written.name));
      parameter.given = graph.insertConstant(typed->value, at);
      parameter.type = typed->type;
    } else {
      parameter.type = type_of_argument(parameter.given->type(), annotated);
    }
    // A parameter that is None may become a Tensor in the body, so its type is Optional[Tensor].
    if (parameter.type->kind() == c10::TypeKind::NoneType) {
      parameter.type = c10::OptionalType::create(c10::TensorType::get());
    }
  }
}

// TorchScript cannot pass modules and functions as values, so the callee is specialised for them.
bool Compiler::Call::take_other(Parameter& parameter) {
  if (!parameter.given) {
    const Value* fallback = parameter.fallback;
    if (!fallback || (!as<Function>(*fallback) && !as<Builtin>(*fallback))) return false;
    parameter.fixed = *fallback;
  } else if (const Value* value = compiler.passed(*parameter.given)) {
    parameter.fixed = *value;
  } else {
    parameter.is_context = compiler.is_context(parameter.given->type());
    if (parameter.is_context) parameter.type = parameter.given->type();
    if (parameter.is_context) return true;
    parameter.module = compiler.class_of(parameter.given);
    if (parameter.module) parameter.type = parameter.module->type;
    return parameter.module != nullptr;
  }
  parameter.passed = false;
  return true;
}

// The key holds everything that the compiled code depends on: the callee, the class of self, and
// the type or the constant of each parameter.
std::string Compiler::Call::key() const {
  std::string key = fmt::format("{} {} {}", static_cast<const void*>(callee.get()),
                                static_cast<const void*>(self), name);
  for (const Parameter& parameter : parameters) {
    key += ";" + (parameter.type ? parameter.type->repr_str() : "");
    if (parameter.fixed) key += "=" + constant_text(*parameter.fixed);
  }
  return key;
}

}  // namespace knead::engine::model
