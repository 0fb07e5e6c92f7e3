#include <fmt/format.h>

#include <algorithm>

#include "runner/engine/model/compile/sugar.h"
#include "runner/engine/model/compile/sugar_autograd.h"
#include "runner/engine/model/python/builtins/partial.h"
#include "runner/engine/model/python/evaluator/records.h"
#include "runner/engine/model/python/words/missing_names.h"
#include "runner/engine/model/values/nesting.h"
#include "runner/syntax/names/absent_modules.h"
#include "schema/document/suggest.h"

namespace knead::engine::model {
namespace {

/// Functions of torch.nn.functional whose operator takes other arguments or another order.
/// models/layers/functional.py must define them; otherwise they are refused.
constexpr const char* kDifferent[] = {"embedding",
                                      "embedding_bag",
                                      "batch_norm",
                                      "instance_norm",
                                      "unfold",
                                      "fold",
                                      "adaptive_max_pool1d",
                                      "adaptive_max_pool2d",
                                      "adaptive_max_pool3d",
                                      "max_unpool1d",
                                      "max_unpool3d",
                                      "ctc_loss",
                                      "grid_sampler",
                                      "softmax",
                                      "log_softmax",
                                      "multi_head_attention"};

bool has_operator(const std::string& name) {
  return !jit::getAllOperatorsFor(c10::Symbol::fromQualString("aten::" + name)).empty();
}

std::vector<std::string> names_in(const Scope& scope) {
  std::vector<std::string> names;
  for (const auto& [name, value] : scope.names) names.push_back(name);
  return names;
}

/// Returns whether a list or dict contains such a value.
bool holds(const Value& value, bool (*is_such)(const Value&)) {
  if (const auto* list = as<List>(value)) {
    return std::any_of((*list)->items.begin(), (*list)->items.end(), is_such);
  }
  const auto* dict = as<Dict>(value);
  return dict && std::any_of((*dict)->items.begin(), (*dict)->items.end(),
                             [&](const auto& item) { return is_such(item.second); });
}

bool is_module(const Value& value) {
  const auto* object = as<Object>(value);
  return object && (*object)->type->is_module;
}

bool is_function(const Value& value) { return function_of(value) != nullptr; }

bool has_tuples_as_keys(const Value& value) {
  const auto* dict = as<Dict>(value);
  return dict && std::any_of((*dict)->items.begin(), (*dict)->items.end(),
                             [](const auto& item) { return as<Tuple>(item.first) != nullptr; });
}

bool is_exception(const Class& type) {
  return std::any_of(type.order.begin(), type.order.end(), [](const auto& base) {
    return base->name == "Exception" || base->name == "BaseException";
  });
}

}  // namespace

jit::SugaredValuePtr Compiler::sugar(const Value& value, const jit::SourceRange& at,
                                     jit::GraphFunction& function) {
  if (const auto* object = as<Object>(value)) {
    if (!(*object)->type->is_module) return std::make_shared<RecordSugar>(*this, *object);
    return module_sugar(**object, at, function);
  }
  if (const auto* callee = as<Function>(value)) {
    return std::make_shared<FunctionSugar>(*this, *callee);
  }
  if (const auto* method = as<BoundMethod>(value)) return method_sugar(**method, at, function);
  if (const auto* builtin = as<Builtin>(value)) return sugar_builtin(*this, (*builtin)->name, at);
  if (const auto* names = as<Namespace>(value)) {
    return std::make_shared<NamespaceSugar>(*this, *names);
  }
  if (const auto* type = as<Class>(value)) return std::make_shared<ClassSugar>(*this, *type);
  if (!is_small(value)) {
    refuse(at, fmt::format("a method cannot use this {}: it nests too deep", type_name(value)),
           "does it contain itself?");
  }
  if (const auto* tuple = as<Tuple>(value)) {
    std::vector<jit::SugaredValuePtr> items;
    refuse_lost_modules(**tuple, at, function);
    for (const Value& item : (*tuple)->items) items.push_back(sugar(item, at, function));
    return std::make_shared<jit::SugaredTupleValue>(std::move(items));
  }
  if (as<Array>(value)) {
    refuse(at, "numpy is not available while the model runs, and this is an array of it",
           "make it a Tensor in __init__: self.register_buffer('name', torch.from_numpy(array))");
  }
  const auto typed = to_typed(value, nullptr, shared_);
  if (!typed && holds(value, is_module)) {
    refuse(at, fmt::format("a {} of modules is not part of the model", type_name(value)),
           "make it an nn.ModuleList or nn.ModuleDict: else PyTorch does not train them either");
  }
  if (!typed && has_tuples_as_keys(value)) {
    refuse(at, "a method cannot use this dict: its keys are tuples",
           "make them numbers or texts in __init__: self.items = {'0 1': 3}");
  }
  if (!typed) {
    refuse(
        at,
        fmt::format("a method cannot use this {}: what is in it has no one type", type_name(value)),
        holds(value, is_function)
            ? "choose with 'if', or make them modules of an nn.ModuleDict"
            : "give it an annotation in __init__: self.items: list[int] = []");
  }
  return std::make_shared<jit::SimpleValue>(function.graph()->insertConstant(typed->value, at));
}

// A tuple may contain modules that are also registered under another name.
void Compiler::refuse_lost_modules(const Tuple& tuple, const jit::SourceRange& at,
                                   jit::GraphFunction& function) {
  for (const Value& item : tuple.items) {
    const auto* object = as<Object>(item);
    if (!object || !(*object)->type->is_module) continue;
    ModuleClass* type = class_of(function.graph()->inputs().at(0));
    if (type && type->path_to(object->get())) continue;
    refuse(at, "a tuple of modules is not part of the model",
           tuple.items.size() == 1 ? "take out the comma at the end of the line that makes it"
                                   : "make it an nn.ModuleList");
  }
}

// A module that is a known value is reached through attributes of self.
jit::SugaredValuePtr Compiler::module_sugar(const Object& module, const jit::SourceRange& at,
                                            jit::GraphFunction& function) {
  jit::Value* value = function.graph()->inputs().at(0);
  ModuleClass* type = class_of(value);
  const auto* path = type ? type->path_to(&module) : nullptr;
  if (!path) {
    refuse(at, fmt::format("this {} is not part of the model", module.type->name),
           "assign it in __init__: self.name = …; several go into an nn.ModuleList");
  }
  for (const std::string& name : *path) {
    value = submodules().read(*function.graph(), value, name, at);
  }
  return std::make_shared<ModuleSugar>(*this, value, *class_of(value));
}

jit::SugaredValuePtr Compiler::method_sugar(const BoundMethod& method, const jit::SourceRange& at,
                                            jit::GraphFunction& function) {
  const auto* type = as<Class>(method.self);
  if (type && is_autograd_function(**type)) return std::make_shared<ApplySugar>(*this, *type);
  const auto* object = as<Object>(method.self);
  // A bound method of a configuration has no place in a graph; one of a module is a method of that
  // submodule.
  const auto* callee = as<Function>(method.function);
  if (!object || !callee || !(*object)->type->is_module) {
    refuse(at, "this method cannot be called while the model runs");
  }
  jit::Value* self = module_sugar(**object, at, function)->asValue(at, function);
  return std::make_shared<FunctionSugar>(*this, *callee, self);
}

jit::SugaredValuePtr NamespaceSugar::attr(const jit::SourceRange& at, jit::GraphFunction& function,
                                          const std::string& name) {
  if (const Value* value = names_->names->find(name)) return compiler_.sugar(*value, at, function);
  const bool is_functional = names_->name.ends_with("functional");
  const bool is_different = is_functional && std::find(std::begin(kDifferent), std::end(kDifferent),
                                                       name) != std::end(kDifferent);
  if (!names_->available) refuse_unavailable(at);
  const std::string full = names_->operator_prefix + name;
  if (names_->has_operators && !is_different && has_operator(full)) {
    return sugar_builtin(compiler_, "torch." + full, at);
  }
  compiler_.refuse(at, fmt::format("module '{}' has no attribute '{}'", names_->name, name),
                   remedy_for(name));
}

jit::SugaredValuePtr NamespaceSugar::call(const jit::SourceRange& at, jit::GraphFunction&,
                                          at::ArrayRef<jit::NamedValue>,
                                          at::ArrayRef<jit::NamedValue>, std::size_t) {
  if (!names_->available) refuse_unavailable(at);
  compiler_.refuse(at, fmt::format("module '{}' is no function", names_->name));
}

void NamespaceSugar::refuse_unavailable(const jit::SourceRange& at) const {
  if (names_->failure) {
    syntax::Refusal failure = *names_->failure;
    failure.needed.push_back(compiler_.place(at));
    throw failure;
  }
  compiler_.refuse(at, fmt::format("'{}' is not available to models", names_->name),
                   syntax::instead_of(names_->name));
}

std::string NamespaceSugar::remedy_for(const std::string& name) const {
  const Value* functional = names_->names->find("functional");
  const auto* functions = functional ? as<Namespace>(*functional) : nullptr;
  if (functions && ((*functions)->names->find(name) || has_operator(name))) {
    return fmt::format("functions are in torch.nn.functional: F.{}", name);
  }
  if (const auto known = syntax::known_module(names_->name + "." + name); !known.empty())
    return known;
  auto near = names_in(*names_->names);
  if (names_->has_operators) {
    for (std::string& one : operator_names()) near.push_back(std::move(one));
  }
  return schema::did_you_mean(name, {near.begin(), near.end()});
}

jit::SugaredValuePtr RecordSugar::attr(const jit::SourceRange& at, jit::GraphFunction& function,
                                       const std::string& name) {
  for (const auto& [attribute, value] : object_->attributes) {
    if (attribute == name) return compiler_.sugar(value, at, function);
  }
  const Value* member = object_->type->find(name);
  if (member && !function_of(*member)) return compiler_.sugar(*member, at, function);
  if (member) {
    compiler_.refuse(
        at,
        fmt::format("a method of '{}' cannot be called while the model runs", object_->type->name),
        "call it in __init__ and keep the result");
  }
  const auto near = names_of_attributes();
  compiler_.refuse(at, fmt::format("'{}' object has no attribute '{}'", object_->type->name, name),
                   schema::did_you_mean(name, {near.begin(), near.end()}));
}

// Calls a functools.partial: bound arguments precede those of the call; a named argument of the
// call replaces a bound one.
jit::SugaredValuePtr RecordSugar::call(const jit::SourceRange& at, jit::GraphFunction& function,
                                       at::ArrayRef<jit::NamedValue> arguments,
                                       at::ArrayRef<jit::NamedValue> named, std::size_t binders) {
  if (!is_partial(*object_)) {
    compiler_.refuse(at, fmt::format("'{}' object is not callable", object_->type->name));
  }
  const auto value_of = [&](const Value& value) {
    return compiler_.sugar(value, at, function)->asValue(at, function);
  };
  const Partial partial = partial_of(*object_);
  std::vector<jit::NamedValue> all, all_named(named.begin(), named.end());
  for (const Value& value : partial.bound.positional) all.emplace_back(value_of(value));
  all.insert(all.end(), arguments.begin(), arguments.end());
  for (const auto& [name, value] : partial.bound.named) {
    const bool is_given = std::any_of(named.begin(), named.end(),
                                      [&](const auto& one) { return one.name() == name; });
    if (!is_given) all_named.emplace_back(at, name, value_of(value));
  }
  return compiler_.sugar(partial.callee, at, function)->call(at, function, all, all_named, binders);
}

std::vector<std::string> RecordSugar::names_of_attributes() const {
  return names_in({.names = object_->attributes, .outer = nullptr});
}

jit::SugaredValuePtr ClassSugar::attr(const jit::SourceRange& at, jit::GraphFunction& function,
                                      const std::string& name) {
  const Value* member = type_->find(name);
  if (!member) {
    compiler_.refuse(at, fmt::format("type object '{}' has no attribute '{}'", type_->name, name));
  }
  if (name == "apply" && is_autograd_function(*type_)) {
    return std::make_shared<ApplySugar>(compiler_, type_);
  }
  const auto* method = as<Function>(*member);
  if (method && (*method)->kind != Function::Kind::static_) {
    compiler_.refuse(at, fmt::format("'{}' needs an object of '{}'", name, type_->name),
                     "write super() for a method of a base class");
  }
  return compiler_.sugar(*member, at, function);
}

jit::SugaredValuePtr ClassSugar::call(const jit::SourceRange& at, jit::GraphFunction& function,
                                      at::ArrayRef<jit::NamedValue> arguments,
                                      at::ArrayRef<jit::NamedValue> named, std::size_t binders) {
  if (is_named_tuple(*type_)) return named_tuple(at, function, arguments, named);
  if (is_exception(*type_)) {
    return jit::ExceptionValue(type_->name).call(at, function, arguments, named, binders);
  }
  if (type_->name.starts_with("numpy.")) {
    compiler_.refuse(at, "numpy is not available while the model runs", "write it with torch");
  }
  const bool can_be_kept = type_->is_module || type_->name == "Parameter";
  compiler_.refuse(
      at, fmt::format("'{}' can be made in __init__ only", type_->name),
      can_be_kept ? fmt::format("make it there, with parentheses, and keep it: self.name = {}(…)",
                                type_->name)
                  : "");
}

}  // namespace knead::engine::model
