#include <bit>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "runner/engine/model/operators/tensors.h"
#include "runner/engine/model/python/builtins/builtins.h"
#include "runner/engine/model/python/evaluator/settings.h"
#include "runner/engine/model/python/words/number_text.h"
#include "runner/engine/model/values/bound_arguments.h"

namespace knead::engine::model {

namespace {

Value integer_of_text(Evaluator& evaluator, const std::string& text, int base) {
  std::string_view digits = stripped(text);
  const bool has_plus = digits.starts_with('+');
  if (has_plus) digits.remove_prefix(1);
  std::int64_t number = 0;
  const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
  const bool whole = end.ptr == digits.data() + digits.size() && end.ec == std::errc();
  // from_chars() accepts a minus sign, so "+-1" must be refused here.
  if (!whole || (has_plus && digits.starts_with('-'))) {
    throw Mistake::of("ValueError", fmt::format("invalid literal for int() with base {}: {}", base,
                                                evaluator.repr(text)));
  }
  return number;
}

Value make_int(Evaluator& evaluator, const Arguments& arguments, syntax::Range) {
  const BoundArguments bound("int", arguments, {"x", "base"}, 0);
  if (!bound.has(0)) return make_integer(0);
  const Value value = plain(bound[0]);
  if (is_integer(value)) return integer_of(value);
  if (const auto* number = std::get_if<double>(&value)) {
    if (std::isnan(*number)) throw Mistake("cannot convert float NaN to integer");
    if (std::isinf(*number)) throw Mistake("cannot convert float infinity to integer");
    if (std::abs(*number) >= 9223372036854775808.0) {
      throw Mistake("this whole number does not fit 64 bits");
    }
    return static_cast<std::int64_t>(*number);
  }
  if (const auto* text = std::get_if<std::string>(&value)) {
    const std::int64_t base = bound.has(1) ? to_integer(bound[1]) : 10;
    if (base < 2 || base > 36) throw Mistake("int() base must be >= 2 and <= 36");
    return integer_of_text(evaluator, *text, static_cast<int>(base));
  }
  if (const auto* tensor = std::get_if<at::Tensor>(&value)) {
    return make_int(evaluator, {{number_of(*tensor)}, {}}, {});
  }
  if (auto number = evaluator.call_method(value, "__int__")) {
    return make_int(evaluator, {{*number}, {}}, {});
  }
  throw Mistake(
      fmt::format("int() argument must be a string or a real number, not '{}'", type_name(value)));
}

Value make_float(Evaluator& evaluator, const Arguments& arguments, syntax::Range) {
  const BoundArguments bound("float", arguments, {"x"}, 0);
  if (!bound.has(0)) return 0.0;
  const Value& value = bound[0];
  if (is_number(value)) return float_of(value);
  if (const auto* tensor = std::get_if<at::Tensor>(&value)) return float_of(number_of(*tensor));
  if (auto number = evaluator.call_method(value, "__float__")) return float_of(*number);
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) {
    throw Mistake(fmt::format("float() argument must be a string or a real number, not '{}'",
                              type_name(value)));
  }
  return float_of_text(*text);
}

Value make_str(Evaluator& evaluator, const Arguments& arguments, syntax::Range) {
  const BoundArguments bound("str", arguments, {"object"}, 0);
  return bound.has(0) ? evaluator.text(bound[0]) : "";
}

Value make_bool(Evaluator& evaluator, const Arguments& arguments, syntax::Range) {
  const BoundArguments bound("bool", arguments, {"x"}, 0);
  return bound.has(0) && evaluator.truth(bound[0]);
}

Value make_list_of(Evaluator& evaluator, const Arguments& arguments, syntax::Range) {
  const BoundArguments bound("list", arguments, {"iterable"}, 0);
  return make_list(bound.has(0) ? evaluator.items(bound[0]) : Values{});
}

Value make_tuple_of(Evaluator& evaluator, const Arguments& arguments, syntax::Range) {
  const BoundArguments bound("tuple", arguments, {"iterable"}, 0);
  return make_tuple(bound.has(0) ? evaluator.items(bound[0]) : Values{});
}

Value make_set(Evaluator& evaluator, const Arguments& arguments, syntax::Range) {
  const BoundArguments bound("set", arguments, {"iterable"}, 0);
  auto set = std::make_shared<Set>();
  if (!bound.has(0)) return set;
  for (const Value& item : evaluator.items(bound[0], true)) evaluator.add_to(*set, item);
  return set;
}

Value make_dict(Evaluator& evaluator, const Arguments& arguments, syntax::Range) {
  auto dict = std::make_shared<Dict>();
  if (arguments.positional.size() > 1) {
    throw Mistake(
        fmt::format("dict expected at most 1 argument, got {}", arguments.positional.size()));
  }
  if (!arguments.positional.empty()) add_items(evaluator, *dict, arguments.positional[0]);
  for (const auto& [name, value] : arguments.named) evaluator.set_key(*dict, name, value);
  return dict;
}

Value make_range(Evaluator&, const Arguments& arguments, syntax::Range) {
  const BoundArguments bound("range", arguments, {"start", "stop", "step"}, 1);
  auto range = std::make_shared<Range>();
  if (bound.has(1)) {
    range->begin = to_integer(bound[0]);
    range->end = to_integer(bound[1]);
  } else {
    range->end = to_integer(bound[0]);
  }
  if (bound.has(2)) range->step = to_integer(bound[2]);
  if (range->step == 0) throw Mistake("range() arg 3 must not be zero");
  return range;
}

Value make_slice(Evaluator&, const Arguments& arguments, syntax::Range) {
  const BoundArguments bound("slice", arguments, {"start", "stop", "step"}, 1);
  if (!bound.has(1)) {
    return std::make_shared<Slice>(Slice{.begin = None{}, .end = bound[0], .step = None{}});
  }
  return std::make_shared<Slice>(
      Slice{.begin = bound[0], .end = bound[1], .step = bound.or_none(2)});
}

Value type_of(Evaluator& evaluator, const Arguments& arguments, syntax::Range) {
  const BoundArguments bound("type", arguments, {"object"}, 1);
  return evaluator.type_of(bound[0]);
}

/// Implements super(Class, self); the evaluator handles super() without arguments.
Value make_super(Evaluator&, const Arguments& arguments, syntax::Range) {
  const BoundArguments bound("super", arguments, {"type", "object"}, 2);
  const auto* after = as<Class>(bound[0]);
  if (after == nullptr || (!as<Object>(bound[1]) && !as<Class>(bound[1]))) {
    throw Mistake("super(type, obj): obj must be an instance or subtype of type");
  }
  return std::make_shared<Super>(Super{.self = bound[1], .after = *after});
}

/// Implements @staticmethod, @classmethod and @property: copies the function with another kind of
/// lookup.
BuiltinCall marking(const std::string& name, Function::Kind kind) {
  return [name, kind](Evaluator&, const Arguments& arguments, syntax::Range) -> Value {
    const BoundArguments bound(name, arguments, {"function"}, 1);
    const auto* function = as<Function>(bound[0]);
    if (function == nullptr) throw Mistake(fmt::format("{}() takes a function of the file", name));
    auto marked = std::make_shared<Function>(**function);
    marked->kind = kind;
    return marked;
  };
}

Value is_whole(Evaluator&, const Arguments& arguments) {
  const double number = float_of(BoundArguments("is_integer", arguments, {"self"}, 1)[0]);
  return std::isfinite(number) && std::floor(number) == number;
}

Value bit_length(Evaluator&, const Arguments& arguments) {
  const std::int64_t number = to_integer(BoundArguments("bit_length", arguments, {"self"}, 1)[0]);
  // The absolute value of the smallest number is unsigned, because it does not fit an int64.
  const auto bits = static_cast<std::uint64_t>(number);
  return static_cast<std::int64_t>(std::bit_width(number < 0 ? 0 - bits : bits));
}

// --- exceptions

/// Implements __init__ of exceptions.
Value keep_arguments(Evaluator& evaluator, const Arguments& arguments) {
  const auto* object = as<Object>(arguments.positional.at(0));
  const auto begin = arguments.positional.begin() + 1;
  evaluator.set_attribute(*object, "args", make_tuple(Values(begin, arguments.positional.end())));
  return None{};
}

/// Implements __str__ of exceptions: the only argument, or repr() of all.
Value message_of(Evaluator& evaluator, const Arguments& arguments) {
  const Value args = evaluator.attribute(arguments.positional.at(0), "args");
  if (!sequence(args)) return evaluator.text(args);  // an assignment replaced them
  const Values& items = *sequence(args);
  if (items.empty()) return "";
  return items.size() == 1 ? evaluator.text(items[0]) : evaluator.repr(args);
}

void add_exceptions(Evaluator& evaluator) {
  const auto base = make_type("BaseException");
  add_method(*base, "__init__", keep_arguments);
  add_method(*base, "__str__", message_of);
  evaluator.add_type(base);
  evaluator.add_global("BaseException", base);
  const auto add = [&](const std::string& name, const std::shared_ptr<Class>& above) {
    auto type = make_type(name);
    type->order.insert(type->order.end(), above->order.begin(), above->order.end());
    evaluator.add_type(type);
    evaluator.add_global(name, type);
    return type;
  };
  const auto exception = add("Exception", base);
  for (const char* name :
       {"AssertionError", "AttributeError", "ImportError", "LookupError", "NameError", "OSError",
        "RuntimeError", "StopIteration", "TypeError", "ValueError", "ArithmeticError", "Warning"}) {
    add(name, exception);
  }
  add("ModuleNotFoundError", evaluator.type("ImportError"));
  add("FileNotFoundError", evaluator.type("OSError"));
  add("UnboundLocalError", evaluator.type("NameError"));
  add("OverflowError", evaluator.type("ArithmeticError"));
  for (const char* name : {"DeprecationWarning", "FutureWarning", "RuntimeWarning", "UserWarning"})
    add(name, evaluator.type("Warning"));
  add("KeyError", evaluator.type("LookupError"));
  add("IndexError", evaluator.type("LookupError"));
  add("NotImplementedError", evaluator.type("RuntimeError"));
  add("ZeroDivisionError", evaluator.type("ArithmeticError"));
}

}  // namespace

void add_items(Evaluator& evaluator, Dict& dict, const Value& from) {
  if (const auto* other = as<Dict>(from)) {
    for (const auto& [key, value] : Dict(**other).items) evaluator.set_key(dict, key, value);
    return;
  }
  if (is_settings(from)) {
    for (const auto& [key, value] : NamedValues(entries_of(from)))
      evaluator.set_key(dict, key, value);
    return;
  }
  for (const Value& pair : evaluator.items(from)) {
    const Values parts = evaluator.items(pair);
    if (parts.size() != 2) {
      throw Mistake(fmt::format("dictionary update sequence element has length {}; 2 is required",
                                parts.size()));
    }
    evaluator.set_key(dict, parts[0], parts[1]);
  }
}

void add_types(Evaluator& evaluator) {
  const auto add = [&](const std::string& name, BuiltinCall construct) {
    const auto type = make_type(name, std::move(construct));
    evaluator.add_type(type);
    evaluator.add_global(name, type);
    return type;
  };
  const auto integer = add("int", make_int);
  add_method(*integer, "bit_length", bit_length);
  const auto flag = add("bool", make_bool);
  // isinstance(True, int) holds in Python.
  flag->order.push_back(integer);
  add_method(*add("float", make_float), "is_integer", is_whole);
  add_text_methods(*add("str", make_str));
  add_list_methods(*add("list", make_list_of));
  add_tuple_methods(*add("tuple", make_tuple_of));
  add_dict_methods(*add("dict", make_dict));
  add_set_methods(*add("set", make_set));
  add("frozenset", make_set);
  add("range", make_range);
  add("slice", make_slice);
  add("type", type_of);
  add("super", make_super);
  add("object", nullptr);
  add_function(evaluator, "object.__init_subclass__", [](Evaluator&, const Arguments& given) {
    if (given.named.empty()) return Value(None{});
    throw Mistake::of("TypeError", "__init_subclass__() takes no keyword arguments");
  });
  evaluator.add_global(
      "staticmethod",
      make_builtin("staticmethod", marking("staticmethod", Function::Kind::static_)));
  evaluator.add_global("classmethod",
                       make_builtin("classmethod", marking("classmethod", Function::Kind::class_)));
  evaluator.add_global("property",
                       make_builtin("property", marking("property", Function::Kind::property)));
  add_exceptions(evaluator);
}

}  // namespace knead::engine::model
