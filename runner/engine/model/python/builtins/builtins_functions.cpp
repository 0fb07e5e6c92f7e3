#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "runner/engine/model/operators/tensors.h"
#include "runner/engine/model/python/builtins/builtins.h"
#include "runner/engine/model/python/evaluator/operators.h"
#include "runner/engine/model/values/bound_arguments.h"
#include "runner/engine/model/values/shown.h"

namespace knead::engine::model {

namespace {

Value length_of(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("len", arguments, {"obj"}, 1);
  return static_cast<std::int64_t>(evaluator.length(bound[0]));
}

Value absolute(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("abs", arguments, {"x"}, 1);
  if (is_tensor(bound[0])) return evaluator.call(evaluator.attribute(bound[0], "abs"), {});
  if (auto made = evaluator.call_method(bound[0], "__abs__")) return *made;
  if (is_integer(bound[0])) return absolute_value(integer_of(bound[0]));
  if (!is_number(bound[0])) {
    throw Mistake(fmt::format("bad operand type for abs(): '{}'", type_name(bound[0])));
  }
  return std::abs(float_of(bound[0]));
}

/// Rounds half to even. With digits, the exact binary value is rounded in decimal, as printf does.
Value round(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("round", arguments, {"number", "ndigits"}, 1);
  const Values digits_argument = bound.has(1) ? Values{bound[1]} : Values{};
  if (auto made = evaluator.call_method(bound[0], "__round__", digits_argument)) return *made;
  if (!is_number(bound[0])) {
    throw Mistake(fmt::format("type {} doesn't define __round__ method", type_name(bound[0])));
  }
  const bool whole = is_none(bound.or_none(1));
  if (is_integer(bound[0])) {
    if (!whole && to_integer(bound[1]) < 0) throw Mistake("round() of an int to negative digits");
    return integer_of(bound[0]);
  }
  const double number = float_of(bound[0]);
  if (whole) {
    // 2^63 is 9.22e18; the comparison is false for NaN as well.
    if (!(std::abs(number) < 9.2e18)) throw Mistake("cannot convert float to integer");
    return static_cast<std::int64_t>(std::nearbyint(number));
  }
  const std::int64_t digits = to_integer(bound[1]);
  if (digits < 0 || digits > 300) throw Mistake("round() takes 0 to 300 digits");
  return std::strtod(fmt::format("{:.{}f}", number, digits).c_str(), nullptr);
}

Value is_instance(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("isinstance", arguments, {"obj", "type"}, 2);
  return evaluator.is_instance(bound[0], bound[1]);
}

Value is_subclass(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("issubclass", arguments, {"type", "base"}, 2);
  const auto* type = as<Class>(bound[0]);
  const auto* base = as<Class>(bound[1]);
  if (!type || !base) throw Mistake("issubclass() arguments must be classes");
  const auto& order = (*type)->order;
  return std::find(order.begin(), order.end(), *base) != order.end();
}

Value get_attribute(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("getattr", arguments, {"obj", "name", "default"}, 2);
  const std::string& name = to_text(bound[1], "attribute name");
  if (!bound.has(2)) return evaluator.attribute(bound[0], name);
  std::optional<Value> found = evaluator.attribute_or_none(bound[0], name);
  return found ? *found : bound[2];
}

Value set_attribute(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("setattr", arguments, {"obj", "name", "value"}, 3);
  evaluator.set_attribute(bound[0], to_text(bound[1], "attribute name"), bound[2]);
  return None{};
}

Value has_attribute(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("hasattr", arguments, {"obj", "name"}, 2);
  return evaluator.attribute_or_none(bound[0], to_text(bound[1], "attribute name")).has_value();
}

Value delete_attribute(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("delattr", arguments, {"obj", "name"}, 2);
  evaluator.delete_attribute(bound[0], to_text(bound[1], "attribute name"));
  return None{};
}

Value callable(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("callable", arguments, {"obj"}, 1);
  const Value& value = bound[0];
  if (as<Function>(value) || as<Builtin>(value) || as<Class>(value) || as<BoundMethod>(value)) {
    return true;
  }
  const auto* object = as<Object>(value);
  return object != nullptr && evaluator.type_of(value)->find("__call__") != nullptr;
}

Value representation(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("repr", arguments, {"obj"}, 1);
  return evaluator.repr(bound[0]);
}

/// Implements id(). The number differs between two builds of a model, so it is good for comparisons
/// only, as in Python.
Value identity(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("id", arguments, {"obj"}, 1);
  const auto number = [](const void* address) {
    return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(address));
  };
  if (is_tensor(bound[0])) return number(std::get<at::Tensor>(bound[0]).unsafeGetTensorImpl());
  if (const void* address = address_of(bound[0])) return number(address);
  throw Mistake(fmt::format("a value of type '{}' has no identity in a model", type_name(bound[0])),
                "compare by ==");
}

Value power(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("pow", arguments, {"base", "exp"}, 2);
  return evaluator.binary(syntax::BinaryOperator::power, bound[0], bound[1]);
}

Value divide(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("divmod", arguments, {"x", "y"}, 2);
  return make_tuple({evaluator.binary(syntax::BinaryOperator::floor_divide, bound[0], bound[1]),
                     evaluator.binary(syntax::BinaryOperator::modulo, bound[0], bound[1])});
}

Value code_of_letter(Evaluator& evaluator, const Arguments& arguments) {
  const BoundArguments bound("ord", arguments, {"c"}, 1);
  const std::string& letter = to_text(bound[0], "the letter of ord()");
  if (evaluator.length(bound[0]) != 1) throw Mistake::of("TypeError", "ord() expected a character");
  const auto unit = [&](std::size_t at) { return static_cast<unsigned char>(letter[at]); };
  if (letter.size() == 1) return static_cast<std::int64_t>(unit(0));
  // The first byte of UTF-8 says how many follow, and each of them has six bits.
  std::int64_t code = unit(0) & (0xFFU >> (letter.size() + 1));
  for (std::size_t at = 1; at < letter.size(); ++at) code = code << 6 | (unit(at) & 0x3FU);
  return code;
}

/// Writes to standard error, because standard output is for the output of knead itself.
Value print(Evaluator& evaluator, const Arguments& arguments) {
  const Arguments options{.positional = {}, .named = arguments.named};
  const BoundArguments bound("print", options, {"*sep", "*end", "*flush"}, 0);
  const std::string separator = bound.has(0) ? to_text(bound[0], "sep") : " ";
  std::string line;
  for (std::size_t i = 0; i < arguments.positional.size(); ++i) {
    line += (i > 0 ? separator : "") + evaluator.text(arguments.positional[i]);
  }
  line += bound.has(1) ? to_text(bound[1], "end") : "\n";
  show_of_model(line);
  return None{};
}

}  // namespace

void add_functions(Evaluator& evaluator) {
  const std::pair<const char*, Method> functions[] = {{"len", length_of},
                                                      {"abs", absolute},
                                                      {"round", round},
                                                      {"isinstance", is_instance},
                                                      {"issubclass", is_subclass},
                                                      {"getattr", get_attribute},
                                                      {"setattr", set_attribute},
                                                      {"hasattr", has_attribute},
                                                      {"delattr", delete_attribute},
                                                      {"callable", callable},
                                                      {"repr", representation},
                                                      {"id", identity},
                                                      {"ord", code_of_letter},
                                                      {"pow", power},
                                                      {"divmod", divide},
                                                      {"print", print}};
  for (const auto& [name, function] : functions) add_function(evaluator, name, function);
  evaluator.add_global("Ellipsis", Ellipsis{});
}

}  // namespace knead::engine::model
