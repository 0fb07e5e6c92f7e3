#include <fmt/format.h>

#include <algorithm>

#include "runner/engine/model/compile/annotation.h"
#include "runner/engine/model/compile/compiler.h"
#include "runner/engine/model/compile/sugar.h"
#include "runner/engine/model/python/evaluator/qualified_name.h"

namespace knead::engine::model {
namespace {

using Kind = syntax::Parameter::Kind;

const std::vector<syntax::Parameter>& parameters_of(const Function& function) {
  return function.definition ? function.definition->parameters : function.lambda->parameters;
}

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

/// A call whose arguments are being bound to the parameters of the callee.
struct Compiler::Call {
  struct Parameter {
    const syntax::Parameter* parameter = nullptr;
    jit::Value* given = nullptr;    // null if not given
    std::optional<Value> fixed;     // the value if it is known
    bool passed = true;             // false for a fixed value that the body never assigns
    c10::TypePtr type;              // the type if it is passed
    ModuleClass* module = nullptr;  // the class if it is a module
  };

  Compiler& compiler;
  const std::shared_ptr<Function>& callee;
  ModuleClass* self;
  const std::string& name;
  const jit::SourceRange& at;
  jit::Graph& graph;
  std::vector<Parameter> parameters{};  // without self

  void bind(at::ArrayRef<jit::NamedValue> arguments, at::ArrayRef<jit::NamedValue> named);
  void decide();
  std::string key() const;

 private:
  Parameter* find(const std::string& parameter_name);
  void give(Parameter& parameter, jit::Value* value);
  void take_rest(Parameter& rest, at::ArrayRef<jit::NamedValue> arguments);
  bool take_other(Parameter& parameter, const std::optional<Value>& fallback);
  [[noreturn]] void refuse(const std::string& problem, const std::string& remedy = "") const {
    const Class* of = self ? self->example->type.get() : nullptr;
    compiler.refuse(at, fmt::format("{}() {}", model::qualified_name(*callee, of), problem),
                    remedy);
  }
  [[noreturn]] void refuse_name(const std::string& argument) const;
  [[noreturn]] void refuse_count(std::size_t takes, std::size_t given) const;
};

Compiler::Call::Parameter* Compiler::Call::find(const std::string& parameter_name) {
  for (Parameter& parameter : parameters) {
    const Kind kind = parameter.parameter->kind;
    if (parameter.parameter->name == parameter_name && kind != Kind::rest &&
        kind != Kind::keywords) {
      return &parameter;
    }
  }
  return nullptr;
}

void Compiler::Call::refuse_name(const std::string& argument) const {
  std::vector<std::string_view> known;
  for (const Parameter& parameter : parameters) known.push_back(parameter.parameter->name);
  refuse(fmt::format("got an unexpected keyword argument '{}'", argument),
         did_you_mean(argument, known));
}

// Python counts self among the positional arguments, so both numbers include it.
void Compiler::Call::refuse_count(std::size_t takes, std::size_t given) const {
  const auto& all = parameters_of(*callee);
  const bool lacks_self = self && (all.empty() || all[0].name != "self");
  const std::size_t object = self ? 1 : 0;
  takes += std::min(object, all.size());
  given += object;
  refuse(fmt::format("takes {} positional argument{} but {} {} given", takes, takes == 1 ? "" : "s",
                     given, given == 1 ? "was" : "were"),
         lacks_self ? fmt::format("a method gets its object first: def {}(self, …)", callee->name)
                    : "");
}

void Compiler::Call::give(Parameter& parameter, jit::Value* value) {
  if (parameter.given) {
    refuse(fmt::format("got multiple values for argument '{}'", parameter.parameter->name));
  }
  parameter.given = value;
}

void Compiler::Call::take_rest(Parameter& rest, at::ArrayRef<jit::NamedValue> arguments) {
  std::vector<jit::Value*> values;
  for (const auto& argument : arguments) values.push_back(argument.value(graph));
  rest.given = graph.insertNode(graph.createTuple(values))->output();
}

void Compiler::Call::bind(at::ArrayRef<jit::NamedValue> arguments,
                          at::ArrayRef<jit::NamedValue> named) {
  const auto& all = parameters_of(*callee);
  for (std::size_t i = self ? 1 : 0; i < all.size(); ++i)
    parameters.emplace_back().parameter = &all[i];
  std::size_t next = 0;
  for (Parameter& parameter : parameters) {
    const Kind kind = parameter.parameter->kind;
    if (kind == Kind::rest) {
      take_rest(parameter, arguments.slice(std::min(next, arguments.size())));
      next = arguments.size();
    }
    if (kind == Kind::positional_only || kind == Kind::ordinary) {
      if (next < arguments.size()) give(parameter, arguments[next++].value(graph));
    }
  }
  if (next < arguments.size()) refuse_count(next, arguments.size());
  for (const auto& argument : named) {
    Parameter* parameter = find(argument.name());
    if (!parameter) refuse_name(argument.name());
    give(*parameter, argument.value(graph));
  }
}

// Decides which parameters are constants of the specialisation, and the types of the others.
void Compiler::Call::decide() {
  const Facts facts = read_facts(*callee);
  std::size_t fallback = 0;
  for (Parameter& parameter : parameters) {
    const auto& written = *parameter.parameter;
    std::optional<Value> value;
    if (written.fallback) value = callee->fallbacks.at(fallback++);
    if (take_other(parameter, value)) continue;
    if (parameter.given) value = known_choice(parameter.given);
    if (!parameter.given && written.kind == Kind::keywords) continue;
    if (!parameter.given && !value) {
      refuse(fmt::format("missing 1 required positional argument: '{}'", written.name));
    }
    const bool stays = facts.assigned.at(written.name) == 1;
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
bool Compiler::Call::take_other(Parameter& parameter, const std::optional<Value>& fallback) {
  if (!parameter.given) {
    if (!fallback || (!as<Function>(*fallback) && !as<Builtin>(*fallback))) return false;
    parameter.fixed = fallback;
  } else if (const Value* value = compiler.passed(*parameter.given)) {
    parameter.fixed = *value;
  } else {
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

void bind_no_keywords(const Function& function, Statics& statics) {
  for (const auto& parameter : parameters_of(function)) {
    if (parameter.kind == Kind::keywords) {
      statics.bind(parameter.name, Value(std::make_shared<Dict>()));
    }
  }
}

jit::Function* Compiler::specialise(Call& call) {
  const std::string key = call.key();
  if (const auto found = functions_.find(key); found != functions_.end()) return found->second;
  // The key stays in open_ while the body is compiled, so finding it there means recursion, which
  // TorchScript does not support.
  if (!open_.insert(key).second) {
    refuse(call.at, fmt::format("'{}' calls itself", call.callee->name), "write a loop");
  }
  auto names = std::make_shared<Names>(*this, *call.callee, call.self);
  Statics statics(*call.callee, call.self ? call.self->example : nullptr, changes_, python_);
  std::vector<LoweredParameter> parameters;
  if (call.self) {
    const auto& name = parameters_of(*call.callee).at(0).name;
    parameters.push_back({name, "", std::nullopt});
    statics.bind(name, Value(call.self->example));
  }
  bind_no_keywords(*call.callee, statics);
  for (const auto& parameter : call.parameters) {
    if (parameter.fixed) statics.bind(parameter.parameter->name, parameter.fixed);
    if (parameter.module) {
      const auto given = names->given(parameters.size(), *parameter.module->example);
      statics.bind(parameter.parameter->name, Value(given));
    }
    if (!parameter.passed || !parameter.given) continue;
    parameters.push_back({parameter.parameter->name, names->refer_type(parameter.type), {}});
  }
  std::string name = call.name;
  // A class cannot have two methods of one name: further specialisations get a number.
  for (int i = 2; call.self && call.self->type->findMethod(name); ++i) {
    name = fmt::format("{}__{}", call.name, i);
  }
  jit::Function* function = define(*call.callee, name, call.self, parameters, statics, names);
  open_.erase(key);
  functions_.emplace(key, function);
  return function;
}

jit::SugaredValuePtr Compiler::call(const std::shared_ptr<Function>& callee, jit::Value* self,
                                    const std::string& name, const jit::SourceRange& at,
                                    jit::GraphFunction& function,
                                    at::ArrayRef<jit::NamedValue> arguments,
                                    at::ArrayRef<jit::NamedValue> named, std::size_t binders) {
  Call call{*this, callee, self ? class_of(self) : nullptr, name, at, *function.graph()};
  call.bind(arguments, named);
  call.decide();
  jit::Function* compiled = nullptr;
  try {
    compiled = specialise(call);
  } catch (const syntax::Refusal& refusal) {
    // An error inside a layer is reported at the line of the user that calls it; the place in the
    // layer follows in the list of calls.
    const auto& problem = refusal.problem();
    const schema::Place where = place(at);
    if (!where || problem.place.source->is_file()) throw;
    syntax::Refusal ours(problem.code, where, problem.message, problem.hint);
    ours.calls = refusal.calls;
    ours.calls.insert(ours.calls.begin(), problem.place);
    throw ours;
  }
  std::vector<jit::NamedValue> values;
  for (const auto& parameter : call.parameters) {
    if (parameter.given && parameter.passed) values.emplace_back(parameter.given);
  }
  if (self) return jit::MethodValue(self, compiled->name()).call(at, function, values, {}, binders);
  return jit::FunctionValue(compiled).call(at, function, values, {}, binders);
}

}  // namespace knead::engine::model
