#include "runner/engine/model/operators/match.h"

#include <algorithm>
#include <set>
#include <sstream>

#include <ATen/ScalarOps.h>
#include <ATen/core/jit_type.h>
#include <fmt/format.h>

#include "runner/engine/model/operators/model_device.h"
#include "runner/engine/model/operators/tensors.h"
#include "runner/engine/model/values/mistake.h"
#include "runner/engine/model/values/values.h"

namespace knead::engine::model {

namespace {

using Converted = std::optional<c10::IValue>;

Converted convert(const Value& value, const c10::Type& type, const c10::Type& real,
                  bool converting);

/// Converts a value to a tensor. A number becomes a wrapped number, which does not take part in the
/// choice of the dtype of the result.
Converted to_tensor(const Value& value, bool converting) {
  if (const auto* tensor = std::get_if<at::Tensor>(&value)) return *tensor;
  if (!converting || !is_number(value)) return std::nullopt;
  at::Tensor number = c10::scalar_to_tensor(to_scalar(value));
  number.unsafeGetTensorImpl()->set_wrapped_number(true);
  return number;
}

/// Converts a value to a number. A tensor without dimensions is read unless it requires a gradient.
Converted to_number(const Value& value, bool converting) {
  if (is_number(value)) return c10::IValue(to_scalar(value));
  const auto* tensor = std::get_if<at::Tensor>(&value);
  if (tensor == nullptr || !converting || tensor->dim() != 0 || tensor->requires_grad()) {
    return std::nullopt;
  }
  return c10::IValue(tensor->item());
}

/// Converts a value to an int. In schemas a dtype, a layout and a memory format are ints too;
/// `real` tells them apart.
Converted to_whole_number(const Value& value, const c10::Type& real, bool converting) {
  if (real.kind() == c10::TypeKind::ScalarTypeType) {
    const std::optional<c10::ScalarType> dtype = to_dtype(value);
    return dtype ? Converted(static_cast<std::int64_t>(*dtype)) : std::nullopt;
  }
  if (real.kind() == c10::TypeKind::LayoutType || real.kind() == c10::TypeKind::MemoryFormatType) {
    return std::nullopt;
  }
  if (std::holds_alternative<std::int64_t>(value)) return std::get<std::int64_t>(value);
  if (converting && is_integer(value)) return Converted(integer_of(value));
  // PyTorch takes a tensor without dimensions as the number in it.
  const auto* tensor = std::get_if<at::Tensor>(&value);
  const bool is_number = tensor && tensor->dim() == 0 &&
                         c10::isIntegralType(tensor->scalar_type(), /*includeBool=*/false);
  return converting && is_number ? Converted(tensor->item().toLong()) : std::nullopt;
}

template <typename T>
Converted to_list_of(const Values& items, const c10::Type& element, bool converting) {
  c10::List<T> list;
  list.reserve(items.size());
  for (const Value& item : items) {
    const Converted converted = convert(item, element, element, converting);
    if (!converted) return std::nullopt;
    list.push_back(converted->to<T>());
  }
  return c10::IValue(std::move(list));
}

Converted to_optional_tensors(const Values& items) {
  c10::List<std::optional<at::Tensor>> list;
  for (const Value& item : items) {
    if (!is_none(item) && !is_tensor(item)) return std::nullopt;
    list.push_back(is_none(item) ? std::nullopt : std::make_optional(std::get<at::Tensor>(item)));
  }
  return c10::IValue(std::move(list));
}

Converted to_list(const Values& items, const c10::Type& element, bool converting) {
  switch (element.kind()) {
    case c10::TypeKind::IntType: return to_list_of<std::int64_t>(items, element, converting);
    case c10::TypeKind::FloatType: return to_list_of<double>(items, element, converting);
    case c10::TypeKind::BoolType: return to_list_of<bool>(items, element, converting);
    case c10::TypeKind::TensorType: return to_list_of<at::Tensor>(items, element, converting);
    case c10::TypeKind::OptionalType: return to_optional_tensors(items);
    case c10::TypeKind::NumberType: return to_list_of<at::Scalar>(items, element, converting);
    default: return std::nullopt;
  }
}

Converted convert(const Value& value, const c10::Type& type, const c10::Type& real,
                  bool converting) {
  // PyTorch reads a number of NumPy as the Python number that it stands for.
  if (std::holds_alternative<ArrayScalar>(value))
    return convert(plain(value), type, real, converting);
  switch (type.kind()) {
    case c10::TypeKind::TensorType: return to_tensor(value, converting);
    case c10::TypeKind::OptionalType: {
      if (is_none(value)) return c10::IValue();
      const auto* inner = real.castRaw<c10::OptionalType>();
      const auto element = type.castRaw<c10::OptionalType>()->getElementType();
      return convert(value, *element, inner ? *inner->getElementType() : *element, converting);
    }
    case c10::TypeKind::NumberType: return to_number(value, converting);
    case c10::TypeKind::IntType: return to_whole_number(value, real, converting);
    case c10::TypeKind::FloatType:
      if (std::holds_alternative<double>(value)) return std::get<double>(value);
      return converting && is_number(value) ? Converted(float_of(value)) : std::nullopt;
    case c10::TypeKind::BoolType:
      return std::holds_alternative<bool>(value) ? Converted(std::get<bool>(value)) : std::nullopt;
    case c10::TypeKind::StringType:
      return is_text(value) ? Converted(std::get<std::string>(value)) : std::nullopt;
    case c10::TypeKind::DeviceObjType: {
      const std::optional<c10::Device> device = to_device(value);
      return device ? Converted(*device) : std::nullopt;
    }
    case c10::TypeKind::ListType: {
      const Values* items = sequence(value);
      const auto element = type.castRaw<c10::ListType>()->getElementType();
      return items == nullptr ? std::nullopt : to_list(*items, *element, converting);
    }
    default: return std::nullopt;
  }
}

/// Converts an argument. A parameter such as `int[2] stride` also takes one int for all items.
Converted convert(const Value& value, const c10::Argument& argument, bool converting) {
  Converted converted = convert(value, *argument.type(), *argument.real_type(), converting);
  if (converted || !argument.N() || !is_number(value)) return converted;
  const Values repeated(static_cast<std::size_t>(*argument.N()), value);
  return convert(make_list(repeated), *argument.type(), *argument.real_type(), converting);
}

/// Returns whether `name` names a parameter; the Python API also calls self "input" and dim "axis".
bool is_named(const c10::Argument& argument, const std::string& name) {
  if (argument.name() == name) return true;
  if (name == "input") return argument.name() == "self";
  if (name == "axis") return argument.name() == "dim";
  return false;
}

/// Returns whether the Python API of an operator takes its tensors as single arguments.
bool takes_tensors_one_by_one(const std::string& operator_name) {
  static const std::set<std::string> names = {"einsum",         "meshgrid",   "broadcast_tensors",
                                              "cartesian_prod", "block_diag", "atleast_1d",
                                              "atleast_2d",     "atleast_3d"};
  return names.contains(operator_name.substr(6));
}

/// Returns whether positional arguments from this parameter on may form one list, as in `view(2,
/// -1)`.
bool may_be_several(const c10::FunctionSchema& schema, std::size_t place) {
  const auto& arguments = schema.arguments();
  const bool is_last = place + 1 == arguments.size() || arguments[place + 1].kwarg_only();
  const auto* list = arguments[place].type()->castRaw<c10::ListType>();
  if (!is_last || list == nullptr || arguments[place].N()) return false;
  const auto kind = list->getElementType()->kind();
  return kind == c10::TypeKind::IntType ||
         (kind == c10::TypeKind::TensorType && takes_tensors_one_by_one(schema.name()));
}

}  // namespace

std::optional<std::vector<c10::IValue>> match(const c10::FunctionSchema& schema,
                                              const Arguments& arguments, bool converting) {
  const auto& wanted = schema.arguments();
  std::vector<c10::IValue> stack;
  stack.reserve(wanted.size());
  std::size_t given = 0;
  std::size_t named = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    Converted converted;
    const auto by_name =
        std::find_if(arguments.named.begin(), arguments.named.end(),
                     [&](const auto& entry) { return is_named(wanted[i], entry.first); });
    const bool by_position = !wanted[i].kwarg_only() && given < arguments.positional.size();
    if (by_name != arguments.named.end()) {
      // The argument is given twice, by position and by name.
      if (by_position) return std::nullopt;
      converted = convert(by_name->second, wanted[i], converting);
      ++named;
    } else if (by_position) {
      converted = convert(arguments.positional[given], wanted[i], converting);
      if (!converted && may_be_several(schema, i)) {
        const auto begin = arguments.positional.begin() + static_cast<std::ptrdiff_t>(given);
        converted =
            convert(make_list(Values(begin, arguments.positional.end())), wanted[i], converting);
        given = arguments.positional.size() - 1;
      }
      ++given;
    } else if (wanted[i].default_value()) {
      converted = *wanted[i].default_value();
    }
    if (!converted) return std::nullopt;
    stack.push_back(std::move(*converted));
  }
  if (given < arguments.positional.size() || named < arguments.named.size()) return std::nullopt;
  return stack;
}

bool first_fits(const c10::FunctionSchema& schema, const Arguments& arguments) {
  if (schema.arguments().empty() || arguments.positional.empty()) return false;
  return convert(arguments.positional[0], schema.arguments()[0], /*converting=*/true).has_value();
}

namespace {

/// Returns a default value as Python source.
std::string shown(const c10::IValue& value) {
  if (value.isNone()) return "None";
  if (value.isBool()) return value.toBool() ? "True" : "False";
  if (value.isString()) return "'" + value.toStringRef() + "'";
  std::ostringstream text;
  text << value;
  return text.str();
}

}  // namespace

std::string signature(const c10::FunctionSchema& schema) {
  // Parameters that a model does not need are left out.
  static const std::set<std::string> unneeded = {"device",        "layout",    "pin_memory",
                                                 "memory_format", "generator", "non_blocking"};
  std::string text;
  bool by_name = false;
  for (const c10::Argument& argument : schema.arguments()) {
    if (unneeded.contains(argument.name())) continue;
    if (!text.empty()) text += ", ";
    if (argument.kwarg_only() && !by_name) text += "*, ";
    by_name = argument.kwarg_only();
    if (argument.name() != "dtype") text += argument.type()->str() + " ";
    text += argument.name();
    if (argument.default_value()) text += "=" + shown(*argument.default_value());
  }
  return fmt::format("{}({})", schema.name().substr(6), text);
}

Value to_value_of_many(const std::vector<c10::IValue>& values) {
  Values items;
  for (const c10::IValue& value : values) items.push_back(to_value(value));
  return make_tuple(std::move(items));
}

/// PyTorch returns tuples for lists: chunk, split, unbind, size.
Value to_value(const c10::IValue& value) {
  if (value.isNone()) return None{};
  if (value.isTensor()) return value.toTensor();
  if (value.isBool()) return value.toBool();
  if (value.isInt()) return value.toInt();
  if (value.isDouble()) return value.toDouble();
  if (value.isString()) return value.toStringRef();
  if (value.isDevice()) return Device{value.toDevice()};
  if (value.isTuple()) return to_value_of_many(value.toTupleRef().elements().vec());
  if (value.isList()) {
    const auto list = value.toList();
    return to_value_of_many({list.begin(), list.end()});
  }
  throw Mistake("this operator's result is of a kind that the language of models does not have");
}

}  // namespace knead::engine::model
