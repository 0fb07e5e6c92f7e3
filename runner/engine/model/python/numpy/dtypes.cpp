#include "runner/engine/model/python/numpy/dtypes.h"

#include <algorithm>
#include <limits>
#include <map>

#include <fmt/format.h>

#include "runner/engine/model/operators/tensors.h"
#include "runner/engine/model/python/evaluator/native.h"
#include "runner/engine/model/python/words/number_text.h"

namespace knead::engine::model::numpy {

namespace {

using c10::ScalarType;
using ClassPtr = std::shared_ptr<Class>;

constexpr ScalarType kTypes[] = {ScalarType::Bool, ScalarType::Char,  ScalarType::Short,
                                 ScalarType::Int,  ScalarType::Long,  ScalarType::Byte,
                                 ScalarType::Half, ScalarType::Float, ScalarType::Double};

/// Other names of the dtypes: those of C, the codes of an array interface, and short ones.
const std::map<std::string_view, ScalarType>& other_names() {
  using enum ScalarType;
  static const std::map<std::string_view, ScalarType> names = {
      {"bool", Bool},  {"bool_", Bool}, {"?", Bool},         {"b1", Bool},       {"int8", Char},
      {"byte", Char},  {"b", Char},     {"i1", Char},        {"int16", Short},   {"short", Short},
      {"h", Short},    {"i2", Short},   {"int32", Int},      {"intc", Int},      {"i", Int},
      {"i4", Int},     {"int64", Long}, {"int", Long},       {"int_", Long},     {"intp", Long},
      {"l", Long},     {"long", Long},  {"longlong", Long},  {"q", Long},        {"i8", Long},
      {"uint8", Byte}, {"ubyte", Byte}, {"B", Byte},         {"u1", Byte},       {"float16", Half},
      {"half", Half},  {"e", Half},     {"f2", Half},        {"float32", Float}, {"single", Float},
      {"f", Float},    {"f4", Float},   {"float64", Double}, {"float", Double},  {"double", Double},
      {"d", Double},   {"f8", Double}};
  return names;
}

/// Names of the classes beside array_type_name().
constexpr std::pair<const char*, ScalarType> kClassNames[] = {
    {"bool_", ScalarType::Bool}, {"byte", ScalarType::Char},     {"short", ScalarType::Short},
    {"intc", ScalarType::Int},   {"int_", ScalarType::Long},     {"intp", ScalarType::Long},
    {"long", ScalarType::Long},  {"longlong", ScalarType::Long}, {"ubyte", ScalarType::Byte},
    {"half", ScalarType::Half},  {"single", ScalarType::Float},  {"double", ScalarType::Double}};

std::optional<ScalarType> type_of_text(std::string text) {
  if (!text.empty() && (text[0] == '<' || text[0] == '=' || text[0] == '|')) text.erase(0, 1);
  const auto found = other_names().find(text);
  return found == other_names().end() ? std::nullopt : std::optional(found->second);
}

std::optional<ScalarType> type_of_class(const Class& type) {
  if (type.file) return std::nullopt;
  if (type.name == "int" || type.name == "float" || type.name == "bool") {
    return type_of_text(type.name);
  }
  if (!type.name.starts_with("numpy.")) return std::nullopt;
  return type_of_text(type.name.substr(6));
}

constexpr const char* kDtype = "numpy.dtype";

/// Returns the dtype of a dtype object; std::nullopt for any other value.
std::optional<ScalarType> type_of_object(const Value& value) {
  const auto* object = as<Object>(value);
  if (!object || (*object)->type->file || (*object)->type->name != kDtype) return std::nullopt;
  if ((*object)->attributes.empty() || !is_integer((*object)->attributes.front().second)) {
    throw Mistake("this dtype was changed");
  }
  return static_cast<ScalarType>(integer_of((*object)->attributes.front().second));
}

ScalarType dtype_self(const Arguments& arguments) {
  return *type_of_object(arguments.positional.at(0));
}

/// Returns the letter of the kind: b, i, u or f.
char kind_of(ScalarType type) {
  if (type == ScalarType::Bool) return 'b';
  if (type == ScalarType::Byte) return 'u';
  return is_whole(type) ? 'i' : 'f';
}

std::int64_t bytes_of(ScalarType type) { return static_cast<std::int64_t>(c10::elementSize(type)); }

Value dtypes_equal(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("__eq__", arguments, {"self", "other"}, 2);
  const Value& other = bound[1];
  std::optional<ScalarType> type = type_of_object(other);
  if (const auto* name = std::get_if<std::string>(&other)) type = type_of_text(*name);
  if (const auto* of = as<Class>(other)) type = type_of_class(**of);
  return type == dtype_self(arguments);
}

ClassPtr dtype_class() {
  static const ClassPtr type = [] {
    auto made = make_type(kDtype, [](Evaluator&, const Arguments& arguments, syntax::Range) {
      const BoundArguments bound("dtype", arguments, {"dtype"}, 1);
      return dtype_value(to_array_type(bound[0]).value_or(ScalarType::Double));
    });
    add_method(*made, "__eq__", dtypes_equal);
    add_method(*made, "__str__", [](Evaluator&, const Arguments& arguments) -> Value {
      return array_type_name(dtype_self(arguments));
    });
    add_method(*made, "__repr__", [](Evaluator&, const Arguments& arguments) -> Value {
      return fmt::format("dtype('{}')", array_type_name(dtype_self(arguments)));
    });
    add_property(*made, "name", [](Evaluator&, const Arguments& arguments) -> Value {
      return array_type_name(dtype_self(arguments));
    });
    add_property(*made, "kind", [](Evaluator&, const Arguments& arguments) -> Value {
      return std::string(1, kind_of(dtype_self(arguments)));
    });
    add_property(*made, "itemsize", [](Evaluator&, const Arguments& arguments) -> Value {
      return bytes_of(dtype_self(arguments));
    });
    add_property(*made, "type", [](Evaluator& evaluator, const Arguments& arguments) -> Value {
      return evaluator.type(fmt::format("numpy.{}", array_type_name(dtype_self(arguments))));
    });
    return made;
  }();
  return type;
}

/// Implements np.float32(x) and its like.
BuiltinCall converting_to(ScalarType type) {
  return [type](Evaluator& evaluator, const Arguments& arguments, syntax::Range) -> Value {
    const BoundArguments bound(array_type_name(type), arguments, {"x"}, 0);
    if (!bound.has(0)) return result_of(array_of(evaluator, make_integer(0), type));
    if (const auto* text = std::get_if<std::string>(&bound[0])) {
      return result_of(array_of(evaluator, float_of_text(*text), type));
    }
    return result_of(array_of(evaluator, bound[0], type));
  };
}

/// Implements np.finfo(dtype) and np.iinfo(dtype).
template <typename Number>
void add_limits(Object& object, ScalarType type) {
  using Limits = std::numeric_limits<Number>;
  const auto set = [&](const char* name, Number number) {
    Value value = Value{static_cast<std::int64_t>(number)};
    if constexpr (!std::is_integral_v<Number>)
      value = ArrayScalar{type, static_cast<double>(number)};
    object.attributes.emplace_back(name, std::move(value));
  };
  set("min", Limits::lowest());
  set("max", Limits::max());
  if constexpr (!std::is_integral_v<Number>) {
    set("eps", Limits::epsilon());
    set("tiny", Limits::min());
    set("smallest_normal", Limits::min());
  }
  object.attributes.emplace_back("bits", bytes_of(type) * 8);
  object.attributes.emplace_back("dtype", dtype_value(type));
}

Value limits_of(Evaluator&, const Arguments& arguments) {
  const BoundArguments bound("finfo", arguments, {"dtype"}, 1);
  std::optional<ScalarType> type;
  if (const auto* array = as<Array>(bound[0])) type = (*array)->numbers.scalar_type();
  if (const auto* scalar = std::get_if<ArrayScalar>(&bound[0])) type = scalar->type;
  if (!type) type = to_array_type(bound[0]);
  auto object = std::make_shared<Object>();
  object->type = make_type("numpy.finfo");
  switch (type.value_or(ScalarType::Double)) {
    case ScalarType::Char: add_limits<std::int8_t>(*object, *type); break;
    case ScalarType::Byte: add_limits<std::uint8_t>(*object, *type); break;
    case ScalarType::Short: add_limits<std::int16_t>(*object, *type); break;
    case ScalarType::Int: add_limits<std::int32_t>(*object, *type); break;
    case ScalarType::Long: add_limits<std::int64_t>(*object, *type); break;
    case ScalarType::Float: add_limits<float>(*object, *type); break;
    case ScalarType::Double: add_limits<double>(*object, *type); break;
    default: throw Mistake("the limits of this dtype are not available to models");
  }
  return object;
}

}  // namespace

Value dtype_value(ScalarType type) {
  auto object = std::make_shared<Object>();
  object->type = dtype_class();
  object->attributes.emplace_back("num", static_cast<std::int64_t>(type));
  return object;
}

std::optional<ScalarType> to_array_type(const Value& value) {
  if (is_none(value)) return std::nullopt;
  if (const auto type = type_of_object(value)) return type;
  if (const auto* name = std::get_if<std::string>(&value)) {
    if (const auto type = type_of_text(*name)) return type;
    throw Mistake(fmt::format("data type '{}' is not available to models", *name),
                  "there are bool, int8, int16, int32, int64, uint8, float16, float32 and float64");
  }
  if (const auto* type = as<Class>(value)) {
    if (const auto found = type_of_class(**type)) return found;
  }
  if (std::holds_alternative<Dtype>(value)) {
    throw Mistake::of("TypeError", "a dtype of torch is no dtype of NumPy",
                      "write np.float32 for torch.float32");
  }
  throw Mistake("this is no dtype of NumPy that models have",
                "there are bool, int8, int16, int32, int64, uint8, float16, float32 and float64");
}

bool is_whole(ScalarType type) { return c10::isIntegralType(type, /*includeBool=*/true); }
bool is_float(ScalarType type) { return c10::isFloatingType(type); }

ScalarType float_for(ScalarType type) {
  if (is_float(type)) return type;
  if (bytes_of(type) == 1) return ScalarType::Half;
  return type == ScalarType::Short ? ScalarType::Float : ScalarType::Double;
}

ScalarType promoted(ScalarType a, ScalarType b) {
  if (is_float(a) == is_float(b)) return c10::promoteTypes(a, b);
  // A float must hold all whole numbers of the other dtype.
  const ScalarType real = is_float(a) ? a : b;
  const ScalarType whole = is_float(a) ? b : a;
  return c10::promoteTypes(real, float_for(whole));
}

ScalarType result_type(const std::vector<Operand>& operands) {
  std::optional<ScalarType> strong;
  ScalarType weak = ScalarType::Bool;
  for (const Operand& operand : operands) {
    const ScalarType type = operand.numbers.scalar_type();
    if (operand.weak) {
      weak = promoted(weak, type);
    } else {
      strong = strong ? promoted(*strong, type) : type;
    }
  }
  if (!strong) return weak;
  if (is_float(weak)) return is_float(*strong) ? *strong : promoted(*strong, ScalarType::Double);
  const bool is_widened = *strong == ScalarType::Bool;
  return is_widened ? weak : *strong;
}

bool can_cast_same_kind(ScalarType from, ScalarType to) {
  static constexpr std::string_view kOrder = "buif";
  // An int64 array may take an uint8, but not the other way.
  return kOrder.find(kind_of(from)) <= kOrder.find(kind_of(to));
}

void add_dtypes(Evaluator& evaluator, Namespace& names) {
  const auto add = [&](const std::string& name, const std::vector<ClassPtr>& bases,
                       BuiltinCall construct) {
    auto type = make_type("numpy." + name, std::move(construct));
    for (const ClassPtr& base : bases) {
      for (const ClassPtr& above : base->order) {
        if (std::find(type->order.begin(), type->order.end(), above) == type->order.end())
          type->order.push_back(above);
      }
    }
    evaluator.add_type(type);
    names.names->set(name, type);
    return type;
  };
  const ClassPtr generic = add("generic", {}, nullptr);
  const ClassPtr number = add("number", {generic}, nullptr);
  const ClassPtr integer = add("integer", {number}, nullptr);
  const ClassPtr with_sign = add("signedinteger", {integer}, nullptr);
  const ClassPtr without_sign = add("unsignedinteger", {integer}, nullptr);
  const ClassPtr inexact = add("inexact", {number}, nullptr);
  const ClassPtr floating = add("floating", {inexact}, nullptr);
  for (const ScalarType type : kTypes) {
    std::vector<ClassPtr> bases{with_sign};
    if (type == ScalarType::Bool) bases = {generic};
    if (type == ScalarType::Byte) bases = {without_sign};
    if (is_float(type)) bases = {floating};
    // A float64 is a float of Python.
    if (type == ScalarType::Double) bases.push_back(evaluator.type("float"));
    add(array_type_name(type), bases, converting_to(type));
  }
  for (const auto& [name, type] : kClassNames) {
    names.names->set(name, *names.names->find(array_type_name(type)));
  }
  names.names->set("dtype", dtype_class());
  add_function(names, "finfo", limits_of);
  add_function(names, "iinfo", limits_of);
}

}  // namespace knead::engine::model::numpy
