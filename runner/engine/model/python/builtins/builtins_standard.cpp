#include <limits>
#include <set>

#include <fmt/format.h>

#include "runner/engine/model/python/builtins/builtins.h"
#include "runner/engine/model/python/evaluator/settings.h"
#include "runner/engine/model/values/bound_arguments.h"

namespace knead::engine::model {

namespace {

// --- sys

/// Implements sys.modules[name] for the modules that the model has imported.
Value module_by_name(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("__getitem__", arguments, {"self", "name"}, 2);
  const std::string& name = to_text(bound[1], "the name of a module");
  if (auto found = evaluator.opened(name)) return found;
  if (auto found = evaluator.module(name)) return found;
  throw Mistake::of("KeyError", "KeyError: " + evaluator.repr(bound[1]));
}

Value has_module(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("__contains__", arguments, {"self", "name"}, 2);
  const std::string& name = to_text(bound[1], "the name of a module");
  return evaluator.opened(name) != nullptr || evaluator.module(name) != nullptr;
}

void add_sys(Evaluator& evaluator) {
  const auto sys = make_namespace("sys");
  const auto type = make_type("modules");
  add_method(*type, "__getitem__", module_by_name);
  add_method(*type, "__contains__", has_module);
  auto modules = std::make_shared<Object>();
  modules->type = type;
  sys->names->set("modules", modules);
  const auto number = [](std::int64_t value) { return make_integer(value); };
  // The language is that of Python 3.11.
  sys->names->set("version_info", make_tuple({number(3), number(11), number(0)}));
  sys->names->set("maxsize", std::numeric_limits<std::int64_t>::max());
  sys->names->set("platform", make_text("linux"));
  evaluator.add_module("sys", sys);
}

// --- inspect

/// Returns the function whose parameters a call of the value takes, and whether the first of them
/// is not among the arguments.
std::pair<std::shared_ptr<Function>, bool> called_by(const Value& callee) {
  if (const auto* function = as<Function>(callee)) return {*function, false};
  if (const auto* method = as<BoundMethod>(callee)) {
    return {called_by((*method)->function).first, true};
  }
  if (const auto* type = as<Class>(callee)) {
    const Value* init = (*type)->find("__init__");
    if (init) return {called_by(*init).first, true};
  }
  return {nullptr, false};
}

const char* name_of_kind(syntax::Parameter::Kind kind) {
  using enum syntax::Parameter::Kind;
  switch (kind) {
    case positional_only: return "POSITIONAL_ONLY";
    case ordinary: return "POSITIONAL_OR_KEYWORD";
    case rest: return "VAR_POSITIONAL";
    case keyword_only: return "KEYWORD_ONLY";
    case keywords: return "VAR_KEYWORD";
  }
  return "";
}

/// Implements inspect.signature(callable); `parameters` of the result have a name, a default and a
/// kind.
BuiltinCall signature(const Value& empty) {
  return [empty](Evaluator& evaluator, const Arguments& arguments, syntax::Range) -> Value {
    const BoundArguments bound("signature", arguments, {"obj"}, 1);
    const auto [function, is_bound] = called_by(bound[0]);
    if (!function)
      throw Mistake("signature() knows the functions and classes of the model's files");
    const auto& all =
        function->lambda ? function->lambda->parameters : function->definition->parameters;
    auto parameters = std::make_shared<Dict>();
    std::size_t fallback = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Value given = all[i].fallback ? function->fallbacks.at(fallback++) : empty;
      if (is_bound && i == 0) continue;
      evaluator.set_key(*parameters, all[i].name,
                        make_settings({{"name", all[i].name},
                                       {"default", given},
                                       {"kind", std::string(name_of_kind(all[i].kind))}}));
    }
    return make_settings({{"parameters", parameters}});
  };
}

/// Implements inspect.getfullargspec(callable); the result has the names of the arguments.
Value argument_names(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("getfullargspec", arguments, {"func"}, 1);
  const auto function = called_by(bound[0]).first;
  if (!function) {
    throw Mistake("getfullargspec() knows the functions and classes of the model's files");
  }
  const auto& all =
      function->lambda ? function->lambda->parameters : function->definition->parameters;
  Values names, keyword_names;
  Value rest = None{}, keywords = None{};
  for (const auto& parameter : all) {
    using Kind = syntax::Parameter::Kind;
    if (parameter.kind == Kind::rest) {
      rest = parameter.name;
    } else if (parameter.kind == Kind::keywords) {
      keywords = parameter.name;
    } else {
      (parameter.kind == Kind::keyword_only ? keyword_names : names).push_back(parameter.name);
    }
  }
  return make_settings({{"args", make_list(std::move(names))},
                        {"varargs", rest},
                        {"varkw", keywords},
                        {"kwonlyargs", make_list(std::move(keyword_names))}});
}

Value is_function(Evaluator&, const Arguments& arguments) {
  return as<Function>(BoundArguments("isfunction", arguments, {"object"}, 1)[0]) != nullptr;
}

Value is_method(Evaluator&, const Arguments& arguments) {
  return as<BoundMethod>(BoundArguments("ismethod", arguments, {"object"}, 1)[0]) != nullptr;
}

Value is_class(Evaluator&, const Arguments& arguments) {
  return as<Class>(BoundArguments("isclass", arguments, {"object"}, 1)[0]) != nullptr;
}

Value is_module(Evaluator&, const Arguments& arguments) {
  return as<Namespace>(BoundArguments("ismodule", arguments, {"object"}, 1)[0]) != nullptr;
}

void add_inspect(Evaluator& evaluator) {
  const auto inspect = make_namespace("inspect");
  const auto parameter = make_type("inspect.Parameter");
  const Value empty = make_type("inspect._empty");
  parameter->members.emplace_back("empty", empty);
  for (const char* kind : {"POSITIONAL_ONLY", "POSITIONAL_OR_KEYWORD", "VAR_POSITIONAL",
                           "KEYWORD_ONLY", "VAR_KEYWORD"}) {
    parameter->members.emplace_back(kind, std::string(kind));
  }
  inspect->names->set("Parameter", parameter);
  inspect->names->set("_empty", empty);
  inspect->names->set("signature", make_builtin("inspect.signature", signature(empty)));
  add_function(*inspect, "getfullargspec", argument_names);
  add_function(*inspect, "isfunction", is_function);
  add_function(*inspect, "ismethod", is_method);
  add_function(*inspect, "isclass", is_class);
  add_function(*inspect, "ismodule", is_module);
  evaluator.add_module("inspect", inspect);
}

/// Implements dir(): the names of a module, of an object or of a class, sorted.
Value names_in(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("dir", arguments, {"object"}, 1);
  std::set<std::string> names;
  const auto add = [&](const NamedValues& values) {
    for (const auto& entry : values) names.insert(entry.first);
  };
  if (const auto* space = as<Namespace>(bound[0])) {
    if ((*space)->file) evaluator.need_all(*(*space)->file);
    add((*space)->names->names);
  } else {
    const auto* type = as<Class>(bound[0]);
    for (const auto& base : (type ? *type : evaluator.type_of(bound[0]))->order) add(base->members);
  }
  if (const auto* object = as<Object>(bound[0])) {
    add((*object)->attributes);
    for (const Slot& slot : (*object)->parameters) names.insert(slot.name);
    for (const Slot& slot : (*object)->buffers) names.insert(slot.name);
    for (const auto& child : (*object)->modules) names.insert(child.first);
  }
  Values sorted;
  for (const std::string& name : names) sorted.push_back(name);
  return make_list(std::move(sorted));
}

Value close_generator(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("close", arguments, {"self"}, 1);
  const auto* iterator = as<Iterator>(bound[0]);
  if (iterator && (*iterator)->close) (*iterator)->close();
  return None{};
}

/// Adds the module `types`: classes that isinstance() asks about, and SimpleNamespace.
void add_types_module(Evaluator& evaluator) {
  const auto types = evaluator.module("types");
  const auto add = [&](const char* name, const std::string& type) {
    const auto made = make_type(type);
    evaluator.add_type(made);
    types->names->set(name, made);
    return made;
  };
  types->names->set("LambdaType", add("FunctionType", "function"));
  add("MethodType", "method");
  add("ModuleType", "module");
  add_method(*add("GeneratorType", "generator"), "close", close_generator);
  const auto builtin = add("BuiltinFunctionType", "builtin_function_or_method");
  types->names->set("BuiltinMethodType", builtin);
}

}  // namespace

void add_standard(Evaluator& evaluator) {
  add_sys(evaluator);
  add_inspect(evaluator);
  // Models name these modules, as in `pickle_module=pickle`, but what is in them is not there.
  for (const char* name : {"pickle", "json", "time"}) {
    evaluator.add_module(name, make_namespace(name));
  }
  // The environment of a model is empty: it would be another model elsewhere.
  const auto os = make_namespace("os");
  os->names->set("environ", std::make_shared<Dict>());
  add_function(*os, "getenv", [](Evaluator&, const Arguments& arguments) -> Value {
    return BoundArguments("getenv", arguments, {"key", "default"}, 1).or_none(1);
  });
  evaluator.add_module("os", os);
  add_types_module(evaluator);
  // Its parts are libraries of layers.
  evaluator.add_module("torchvision", make_namespace("torchvision"));
  add_function(evaluator, "dir", names_in);
}

}  // namespace knead::engine::model
