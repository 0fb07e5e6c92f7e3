#include <fmt/format.h>

#include "runner/engine/model/python/builtins/builtins.h"
#include "runner/engine/model/python/builtins/partial.h"
#include "runner/engine/model/python/evaluator/dataclass.h"
#include "runner/engine/model/python/evaluator/module.h"
#include "runner/engine/model/python/evaluator/records.h"
#include "runner/engine/model/python/evaluator/settings.h"
#include "runner/engine/model/values/bound_arguments.h"

namespace knead::engine::model {

namespace {

/// Returns the first argument: implements decorators and functions without effect here.
Value first(Evaluator&, const Arguments& arguments) {
  if (arguments.positional.empty()) throw Mistake("an argument is missing");
  return arguments.positional[0];
}

/// Adds typing. Its names stand in annotations only, so a call of one is a mistake.
void add_typing(Evaluator& evaluator) {
  const auto typing = make_namespace("typing");
  for (const char* name :
       {"Final",           "Any",       "Callable",    "ClassVar",    "Dict",    "FrozenSet",
        "Iterable",        "Iterator",  "List",        "Literal",     "Mapping", "NoReturn",
        "Optional",        "Sequence",  "Set",         "Tuple",       "Type",    "Union",
        "Annotated",       "Self",      "TypeAlias",   "Hashable",    "Sized",   "MutableMapping",
        "MutableSequence", "Generator", "Collection",  "DefaultDict", "Counter", "Deque",
        "AnyStr",          "Container", "Concatenate", "Unpack"}) {
    const std::string full = fmt::format("typing.{}", name);
    typing->names->set(
        name, make_builtin(full, [full](Evaluator&, const Arguments&, syntax::Range) -> Value {
          throw Mistake(fmt::format("'{}' is for annotations and cannot be called", full));
        }));
  }
  typing->names->set("TYPE_CHECKING", false);
  typing->names->set("Generic", make_type("Generic"));
  typing->names->set("Protocol", make_type("Protocol"));
  typing->names->set("NamedTuple", named_tuple_base());
  add_function(*typing, "TypeVar", first);
  add_function(*typing, "ParamSpec", first);
  add_function(*typing, "final", first);
  add_function(*typing, "runtime_checkable", first);
  add_function(*typing, "get_args", [](Evaluator&, const Arguments& arguments) -> Value {
    const BoundArguments bound("get_args", arguments, {"tp"}, 1);
    const auto* generic = as<Builtin>(bound[0]);
    if (generic && (*generic)->parameters) return (*generic)->parameters;
    throw Mistake("get_args() knows Literal and the other generic types of typing");
  });
  add_function(*typing, "cast", [](Evaluator&, const Arguments& arguments) -> Value {
    return BoundArguments("cast", arguments, {"typ", "val"}, 2)[1];
  });
  add_function(*typing, "overload", first);
  evaluator.add_module("typing", typing);
  // These modules have the names of typing as far as models use them.
  evaluator.add_module("typing_extensions", typing);
  evaluator.add_module("collections.abc", typing);
}

// --- functools, copy

Value reduce(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("reduce", arguments, {"function", "iterable", "initial"}, 2);
  const auto iterator = evaluator.iterate(bound[1]);
  std::optional<Value> result = bound.has(2) ? std::optional<Value>(bound[2]) : iterator->next();
  if (!result) throw Mistake("reduce() of empty iterable with no initial value");
  while (const std::optional<Value> item = iterator->next()) {
    result = evaluator.call(bound[0], {{*result, *item}, {}});
  }
  return *result;
}

Value shallow_copy(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("copy", arguments, {"x"}, 1);
  const Value& value = bound[0];
  if (as<List>(value)) return make_list(evaluator.items(value));
  if (as<Array>(value)) return *evaluator.call_method(value, "copy");
  if (const auto* dict = as<Dict>(value)) return std::make_shared<Dict>(**dict);
  if (const auto* set = as<Set>(value)) return std::make_shared<Set>(**set);
  if (const auto* object = as<Object>(value)) return std::make_shared<Object>(**object);
  return value;
}

Value deep_copy_of(Evaluator& evaluator, const Arguments& arguments) {
  return deep_copy(evaluator, BoundArguments("deepcopy", arguments, {"x"}, 1)[0]);
}

Value warn(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("warn", arguments, {"message", "category", "stacklevel"}, 1);
  return evaluator.call(evaluator.global("print"), {{bound[0]}, {}});
}

// --- decorators

/// Implements functools.wraps(function) and its like: returns a decorator without effect.
Value no_decoration(Evaluator&, const Arguments&) {
  return make_builtin("decorator", [](Evaluator&, const Arguments& arguments, syntax::Range) {
    return arguments.positional.at(0);
  });
}

/// Implements functools.cache and lru_cache, with and without arguments. The functions of a model
/// compute the same with and without a cache.
Value cache(Evaluator& evaluator, const Arguments& arguments) {
  const bool is_decorator =
      arguments.positional.size() == 1 && as<Function>(arguments.positional[0]);
  return is_decorator ? arguments.positional[0] : no_decoration(evaluator, arguments);
}

/// Implements types.SimpleNamespace and argparse.Namespace: keyword arguments become attributes.
Value simple_namespace(Evaluator&, const Arguments& arguments) {
  if (!arguments.positional.empty()) throw Mistake("no positional arguments expected");
  return make_settings(arguments.named);
}

/// Implements EasyDict(…), OmegaConf.create(…) and ConfigDict(…): also the dicts in a dict become
/// namespaces.
Value deep_namespace(Evaluator& evaluator, const Arguments& arguments) {
  auto dict = std::make_shared<Dict>();
  if (!arguments.positional.empty()) add_items(evaluator, *dict, arguments.positional[0]);
  for (const auto& [name, value] : arguments.named) evaluator.set_key(*dict, name, value);
  return as_settings(dict);
}

/// Implements the log levels whose messages are not shown.
Value quiet(Evaluator&, const Arguments&) { return None{}; }

/// Implements the log levels whose messages are printed.
Value loud(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("a logger", arguments, {"self", "message"}, 2);
  return evaluator.call(evaluator.global("print"), {{bound[1]}, {}});
}

Value loud_line(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("a logger", arguments, {"message"}, 1);
  return evaluator.call(evaluator.global("print"), {{bound[0]}, {}});
}

/// Implements defaultdict(factory, …): a dict that calls the factory for a key that it lacks.
Value default_dict(Evaluator& evaluator, const Arguments& arguments) {
  Arguments rest = arguments;
  Value factory = None{};
  if (!rest.positional.empty()) {
    factory = rest.positional[0];
    rest.positional.erase(rest.positional.begin());
  }
  Value dict = evaluator.call(evaluator.type("dict"), rest);
  (*as<Dict>(dict))->factory = std::move(factory);
  return dict;
}

/// Implements logging.getLogger(name): warnings and errors are printed.
Value logger(Evaluator&, const Arguments&) {
  const auto type = make_type("Logger");
  for (const char* name : {"debug", "info", "setLevel"}) add_method(*type, name, quiet);
  for (const char* name : {"warning", "error"}) add_method(*type, name, loud);
  auto object = std::make_shared<Object>();
  object->type = type;
  return object;
}

}  // namespace

namespace {

/// Adds the module `numbers`, whose classes isinstance() asks about.
void add_numbers(Evaluator& evaluator) {
  const auto numbers = make_namespace("numbers");
  const Value integer = evaluator.type("int"), real = evaluator.type("float");
  numbers->names->set("Integral", integer);
  for (const char* name : {"Number", "Real", "Complex"})
    numbers->names->set(name, make_tuple({integer, real}));
  evaluator.add_module("numbers", numbers);
}

}  // namespace

void add_libraries(Evaluator& evaluator) {
  const auto add = [&](const std::string& name,
                       std::initializer_list<std::pair<const char*, Method>> functions) {
    const auto names = make_namespace(name);
    for (const auto& [function, method] : functions) add_function(*names, function, method);
    evaluator.add_module(name, names);
    return names;
  };
  add_typing(evaluator);
  evaluator.add_module("dataclasses", dataclasses_module());
  add("functools", {{"partial", make_partial},
                    {"reduce", reduce},
                    {"wraps", no_decoration},
                    {"cache", cache},
                    {"lru_cache", cache}});
  add("types", {{"SimpleNamespace", simple_namespace}});
  add("easydict", {{"EasyDict", deep_namespace}});
  add("ml_collections", {{"ConfigDict", deep_namespace}});
  add_numbers(evaluator);
  add("copy", {{"copy", shallow_copy}, {"deepcopy", deep_copy_of}});
  add("warnings", {{"warn", warn}, {"filterwarnings", quiet}, {"simplefilter", quiet}});
  const auto enums = add("enum", {{"auto", next_member}, {"unique", first}});
  enums->names->set("Enum", enum_base());
  // The module collections itself is text and imports these.
  const auto collections =
      add("_collections", {{"namedtuple", make_named_tuple}, {"defaultdict", default_dict}});
  // A dict keeps the order of insertion.
  collections->names->set("OrderedDict", evaluator.type("dict"));
  const auto logging = add("logging", {{"getLogger", logger},
                                       {"basicConfig", quiet},
                                       {"debug", quiet},
                                       {"info", quiet},
                                       {"warning", loud_line},
                                       {"error", loud_line}});
  for (const auto& [name, level] : {std::pair("DEBUG", 10), std::pair("INFO", 20),
                                    std::pair("WARNING", 30), std::pair("ERROR", 40)}) {
    logging->names->set(name, make_integer(level));
  }
  const auto abc = add("abc", {{"abstractmethod", first}});
  abc->names->set("ABC", make_type("ABC"));
  abc->names->set("ABCMeta", make_type("ABCMeta"));
}

}  // namespace knead::engine::model
