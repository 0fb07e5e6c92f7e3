#include "runner/engine/model/compile/annotation.h"
#include "runner/engine/model/compile/module_class.h"
#include "runner/engine/model/values/nesting.h"
#include "runner/engine/model/values/values.h"

namespace knead::engine::model {
namespace {

using c10::TypePtr;

/// See to_typed(), which has asked is_small().
std::optional<TypedValue> typed_part(const Value& value, const TypePtr& declared,
                                     SharedValues& shared);

/// The first item decides the element type if none is declared; a list without both has no type.
std::optional<TypedValue> to_typed_list(const Values& items, const TypePtr& declared,
                                        SharedValues& shared) {
  const auto list_type = declared ? declared->cast<c10::ListType>() : nullptr;
  TypePtr element = list_type ? list_type->getElementType() : nullptr;
  std::vector<c10::IValue> values;
  for (const Value& item : items) {
    auto typed = typed_part(item, element, shared);
    if (!typed) return std::nullopt;
    if (!element) element = typed->type;
    if (!typed->type->isSubtypeOf(*element)) return std::nullopt;
    values.push_back(std::move(typed->value));
  }
  if (!element) return std::nullopt;
  c10::impl::GenericList list(element);
  for (auto& value : values) list.push_back(std::move(value));
  return TypedValue{list, c10::ListType::create(element)};
}

std::optional<TypedValue> to_typed_dict(const Dict& dict, const TypePtr& declared,
                                        SharedValues& shared) {
  const auto dict_type = declared ? declared->cast<c10::DictType>() : nullptr;
  TypePtr key = dict_type ? dict_type->getKeyType() : nullptr;
  TypePtr value = dict_type ? dict_type->getValueType() : nullptr;
  std::vector<std::pair<c10::IValue, c10::IValue>> items;
  for (const auto& [item_key, item_value] : dict.items) {
    auto typed_key = typed_part(item_key, key, shared);
    auto typed_value = typed_part(item_value, value, shared);
    if (!typed_key || !typed_value) return std::nullopt;
    if (!key) key = typed_key->type;
    if (!value) value = typed_value->type;
    if (!typed_key->type->isSubtypeOf(*key) || !typed_value->type->isSubtypeOf(*value)) {
      return std::nullopt;
    }
    items.emplace_back(std::move(typed_key->value), std::move(typed_value->value));
  }
  const TypePtr type = key && value ? dict_of(key, value) : nullptr;
  if (!type) return std::nullopt;
  c10::impl::GenericDict result(key, value);
  for (auto& [item_key, item_value] : items) result.insert(item_key, item_value);
  return TypedValue{result, type};
}

std::optional<TypedValue> to_typed_tuple(const Values& items, const TypePtr& declared,
                                         SharedValues& shared) {
  const auto tuple = declared ? declared->cast<c10::TupleType>() : nullptr;
  const bool fits = tuple && tuple->elements().size() == items.size();
  std::vector<c10::IValue> values;
  std::vector<TypePtr> types;
  for (std::size_t i = 0; i < items.size(); ++i) {
    auto typed = typed_part(items[i], fits ? tuple->elements()[i] : nullptr, shared);
    if (!typed) return std::nullopt;
    values.push_back(std::move(typed->value));
    types.push_back(std::move(typed->type));
  }
  return TypedValue{c10::ivalue::Tuple::create(std::move(values)), c10::TupleType::create(types)};
}

std::optional<TypedValue> to_typed_plain(const Value& attribute) {
  const Value value = plain(attribute);
  if (const auto* item = std::get_if<bool>(&value)) return TypedValue{*item, c10::BoolType::get()};
  if (const auto* item = std::get_if<std::int64_t>(&value)) {
    return TypedValue{*item, c10::IntType::get()};
  }
  if (const auto* item = std::get_if<double>(&value)) {
    return TypedValue{*item, c10::FloatType::get()};
  }
  if (const auto* item = std::get_if<std::string>(&value)) {
    return TypedValue{*item, c10::StringType::get()};
  }
  if (const auto* item = std::get_if<at::Tensor>(&value)) {
    return TypedValue{*item, c10::TensorType::get()};
  }
  if (const auto* item = std::get_if<Dtype>(&value)) {
    return TypedValue{static_cast<std::int64_t>(item->type), c10::IntType::get()};
  }
  if (const auto* item = std::get_if<Device>(&value)) {
    return TypedValue{item->device, c10::DeviceObjType::get()};
  }
  if (is_none(value)) return TypedValue{c10::IValue(), c10::NoneType::get()};
  return std::nullopt;
}

/// Converts a container once, so that two attributes that share it share the result.
std::optional<TypedValue> to_typed_shared(const void* identity, SharedValues& shared,
                                          const std::function<std::optional<TypedValue>()>& make) {
  if (const auto found = shared.find(identity); found != shared.end()) return found->second;
  auto made = make();
  if (made) shared.emplace(identity, *made);
  return made;
}

/// Returns the value with the declared type if it is a subtype, such as an Optional or a wider
/// element type. An int becomes a float if a float is declared.
TypedValue widened(TypedValue value, const TypePtr& declared) {
  if (declared && value.type->isSubtypeOf(*declared)) value.type = declared;
  const bool is_float = declared && declared->kind() == c10::TypeKind::FloatType;
  if (is_float && value.value.isInt()) {
    return {static_cast<double>(value.value.toInt()), declared};
  }
  return value;
}

std::optional<TypedValue> typed_part(const Value& value, const TypePtr& declared,
                                     SharedValues& shared) {
  TypePtr inner = declared;
  if (const auto optional = declared ? declared->cast<c10::OptionalType>() : nullptr) {
    // The items of a list have the element type inside the Optional; None itself keeps the
    // Optional.
    if (!is_none(value)) inner = optional->getElementType();
  }
  std::optional<TypedValue> typed;
  if (const auto* list = as<List>(value)) {
    typed = to_typed_shared(list->get(), shared,
                            [&] { return to_typed_list((*list)->items, inner, shared); });
  } else if (const auto* dict = as<Dict>(value)) {
    typed =
        to_typed_shared(dict->get(), shared, [&] { return to_typed_dict(**dict, inner, shared); });
  } else if (const auto* tuple = as<Tuple>(value)) {
    typed = to_typed_tuple((*tuple)->items, inner, shared);
  } else {
    typed = to_typed_plain(value);
  }
  return typed ? std::optional(widened(std::move(*typed), declared)) : std::nullopt;
}

}  // namespace

std::optional<TypedValue> to_typed(const Value& value, const TypePtr& declared,
                                   SharedValues& shared) {
  return is_small(value) ? typed_part(value, declared, shared) : std::nullopt;
}

}  // namespace knead::engine::model
