#include <algorithm>

#include <fmt/format.h>

#include "runner/engine/model/compile/call.h"
#include "runner/engine/model/compile/sugar.h"
#include "runner/syntax/names/statement_names.h"

namespace knead::engine::model {
namespace {

using Kind = syntax::Parameter::Kind;

/// Limit the compiler's stack and time: calls within calls, and functions compiled for their
/// arguments, whose number can double with each call.
constexpr std::size_t kMostOpenCalls = 250, kMostFunctions = 4'000;
/// Limits the types within a type: f((x, x)) in f doubles them with each call.
constexpr std::size_t kMostTypes = 1'000;

/// Returns the number of types in a type, itself included; kMostTypes if it has that many or more.
std::size_t types_in(const c10::Type& type) {
  if (type.kind() == c10::TypeKind::ClassType) return 1;
  std::size_t count = 1;
  for (const c10::TypePtr& part : type.containedTypes()) {
    count += types_in(*part);
    if (count >= kMostTypes) return kMostTypes;
  }
  return count;
}

}  // namespace

void bind_no_keywords(const Function& function, Statics& statics) {
  for (const auto& parameter : parameters_of(function)) {
    if (parameter.kind == Kind::keywords) {
      statics.bind(parameter.name, Value(std::make_shared<Dict>()));
    }
  }
}

jit::Function* Compiler::specialise(Call& call) {
  for (const auto& parameter : call.parameters) {
    if (!parameter.type || types_in(*parameter.type) < kMostTypes) continue;
    refuse(call.at, "the tuples in this argument nest too deep", "give their parts one by one");
  }
  const std::string key = call.key();
  if (const auto found = functions_.find(key); found != functions_.end()) return found->second;
  // The key stays in open_ while the body is compiled, so finding it there means recursion, which
  // TorchScript does not support.
  if (!open_.insert(key).second) {
    refuse(call.at, fmt::format("'{}' calls itself", call.callee->name), "write a loop");
  }
  if (open_.size() > kMostOpenCalls) {
    refuse(call.at, fmt::format("calls nest more than {} deep here", kMostOpenCalls),
           "write a loop");
  }
  if (functions_.size() >= kMostFunctions) {
    refuse(call.at,
           fmt::format("more than {} functions are compiled for this model", kMostFunctions),
           "a function is compiled for each constant and each type that it is called with");
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
  for (const std::string& variable : call.callee->captures) statics.hide(variable);
  for (const auto& parameter : call.parameters) {
    if (parameter.fixed) statics.bind(parameter.parameter->name, parameter.fixed);
    if (parameter.module) {
      const auto given = names->given(parameters.size(), *parameter.module->example);
      statics.bind(parameter.parameter->name, Value(given));
    }
    if (parameter.is_context) {
      statics.bind(parameter.parameter->name, Value(names->given_context(parameters.size())));
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

// A lambda that __init__ made may read a module: `m = self.mlp; self.f = lambda x: m(x)`. The
// module is an argument of the compiled function.
std::shared_ptr<Function> Compiler::with_modules(const std::shared_ptr<Function>& callee) {
  if (!callee->closure) return callee;
  auto& made = closures_[callee.get()];
  if (made) return made;
  const auto free = callee->lambda ? syntax::free_names(*callee->lambda->body)
                                   : syntax::free_names(*callee->definition);
  Function extended = *callee;
  for (const std::string& name : free) {
    const Value* value = find_name(*callee)(name);
    const auto* object = value ? as<Object>(*value) : nullptr;
    const bool is_parameter =
        std::any_of(parameters_of(*callee).begin(), parameters_of(*callee).end(),
                    [&](const syntax::Parameter& parameter) { return parameter.name == name; });
    if (object && (*object)->type->is_module && !is_parameter) extended.captures.push_back(name);
  }
  const bool has_modules = extended.captures.size() > callee->captures.size();
  made = has_modules ? std::make_shared<Function>(std::move(extended)) : callee;
  return made;
}

jit::SugaredValuePtr Compiler::call(const std::shared_ptr<Function>& original, jit::Value* self,
                                    const std::string& name, const jit::SourceRange& at,
                                    jit::GraphFunction& function,
                                    at::ArrayRef<jit::NamedValue> arguments,
                                    at::ArrayRef<jit::NamedValue> given, std::size_t binders) {
  const std::shared_ptr<Function> callee = with_modules(original);
  std::vector<jit::NamedValue> named(given.begin(), given.end());
  for (std::size_t i = original->captures.size(); i < callee->captures.size(); ++i) {
    const std::string& variable = callee->captures[i];
    const Object& module = **as<Object>(*find_name(*original)(variable));
    named.emplace_back(at, captured_name(variable),
                       module_sugar(module, at, function)->asValue(at, function));
  }
  Call call{*this,     callee, self ? class_of(self) : nullptr, name, at, *function.graph(),
            arguments, named};
  call.bind();
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
