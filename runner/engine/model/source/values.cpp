#include "runner/engine/model/source/values.h"

#include <algorithm>
#include <set>

#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/core/jit_type.h>
#include <fmt/format.h>

#include "runner/engine/model/compile/module_class.h"
#include "runner/engine/model/module/interpreter.h"
#include "runner/engine/model/operators/match.h"
#include "runner/engine/model/python/evaluator/records.h"
#include "runner/engine/model/values/mistake.h"
#include "runner/engine/model/values/values.h"

namespace knead::engine::model {
namespace {

using c10::TypePtr;
using Results = std::vector<c10::IValue>;

/// Returns the type that all values have, of tensors without their sizes; Any if there is none.
TypePtr common_type(const Results& values) {
  if (values.empty()) return c10::AnyType::get();
  const TypePtr first = c10::unshapedType(values.front().type());
  const bool is_common = std::all_of(values.begin(), values.end(), [&](const auto& value) {
    return *c10::unshapedType(value.type()) == *first;
  });
  return is_common ? first : TypePtr(c10::AnyType::get());
}

c10::IValue dict_of_texts(const std::vector<std::string>& keys, const Results& values) {
  c10::impl::GenericDict dict(c10::StringType::get(), common_type(values));
  for (std::size_t i = 0; i < keys.size(); ++i) dict.insert(keys[i], values[i]);
  return dict;
}

c10::IValue tuple_of(Results values, const std::vector<std::string>& names) {
  if (names.empty()) return c10::ivalue::Tuple::create(std::move(values));
  std::vector<TypePtr> types;
  for (const c10::IValue& value : values) types.push_back(value.type());
  const auto type =
      c10::TupleType::createNamed(c10::QualifiedName("__torch__.Result"), names, types);
  return c10::ivalue::Tuple::createNamed(std::move(values), type);
}

Results results_of(const Values& values) {
  Results results;
  for (const Value& value : values) results.push_back(to_result(value));
  return results;
}

/// A list of items of several types is a tuple: the recipe can choose from both by an index.
c10::IValue list_of(const Values& values) {
  Results items = results_of(values);
  const TypePtr type = common_type(items);
  if (type->kind() == c10::TypeKind::AnyType) return tuple_of(std::move(items), {});
  c10::impl::GenericList list(type);
  for (c10::IValue& item : items) list.push_back(std::move(item));
  return list;
}

c10::IValue result_of(const Dict& dict) {
  std::vector<std::string> keys;
  Results values;
  for (const auto& [key, value] : dict.items) {
    if (!is_text(key)) {
      throw Mistake(fmt::format("forward returns a dict with the key {}",
                                is_number(key) ? fmt::format("{}", float_of(key)) : type_name(key)),
                    "make its keys texts");
    }
    keys.push_back(std::get<std::string>(key));
    values.push_back(to_result(value));
  }
  return dict_of_texts(keys, values);
}

c10::IValue result_of(const Object& object) {
  std::vector<std::string> names;
  Results values;
  const bool is_tuple = is_named_tuple(*object.type);
  for (const auto& [name, value] : object.attributes) {
    if (!is_tuple && is_none(value)) continue;
    names.push_back(name);
    values.push_back(to_result(value));
  }
  return is_tuple ? tuple_of(std::move(values), names) : dict_of_texts(names, values);
}

}  // namespace

namespace {

/// Refuses a result that nests deeper than any that a recipe can name.
class Level {
 public:
  Level() {
    if (++depth <= 64) return;
    --depth;
    throw Mistake("what forward returns nests more than 64 deep");
  }
  ~Level() { --depth; }
  Level(const Level&) = delete;
  Level& operator=(const Level&) = delete;

 private:
  static inline thread_local int depth = 0;
};

}  // namespace

c10::IValue to_result(const Value& given) {
  const Level level;
  const Value value = plain(given);
  if (is_none(value)) return {};
  if (const auto* item = std::get_if<bool>(&value)) return *item;
  if (const auto* item = std::get_if<std::int64_t>(&value)) return *item;
  if (const auto* item = std::get_if<double>(&value)) return *item;
  if (const auto* item = std::get_if<std::string>(&value)) return *item;
  if (const auto* item = std::get_if<at::Tensor>(&value)) return *item;
  if (const auto* tuple = as<Tuple>(value))
    return tuple_of(results_of((*tuple)->items), (*tuple)->names);
  if (const auto* list = as<List>(value)) return list_of((*list)->items);
  if (const auto* dict = as<Dict>(value)) return result_of(**dict);
  const auto* object = as<Object>(value);
  if (object && !(*object)->type->is_module) return result_of(**object);
  throw Mistake(fmt::format("forward returns a value of type '{}'", type_name(value)),
                "return a tensor, or a tuple or dict that holds it");
}

namespace {

/// Returns whether a dtype is among the items of a list, a tuple or a dict, also nested. A list
/// that holds another one several times, or itself, is looked at once.
bool holds_dtype(const Value& value, std::set<const void*>& seen) {
  if (std::holds_alternative<Dtype>(value)) return true;
  const auto holds = [&](const Value& item) { return holds_dtype(item, seen); };
  if (const auto* dict = as<Dict>(value)) {
    const auto& items = (*dict)->items;
    return seen.insert(dict->get()).second &&
           std::any_of(items.begin(), items.end(),
                       [&](const auto& item) { return holds(item.second); });
  }
  const Values* items = sequence(value);
  return items && seen.insert(items).second && std::any_of(items->begin(), items->end(), holds);
}

}  // namespace

std::optional<c10::IValue> to_kept(const Value& value) {
  if (const auto* dtype = std::get_if<Dtype>(&value))
    return c10::ivalue::Tuple::createNamed({static_cast<std::int64_t>(dtype->type)}, dtype_type());
  // An empty list has no type of its own; it is empty again when it is read.
  const auto* list = as<List>(value);
  if (list && (*list)->items.empty()) return c10::impl::GenericList(c10::TensorType::get());
  const auto* dict = as<Dict>(value);
  if (dict && (*dict)->items.empty())
    return c10::impl::GenericDict(c10::StringType::get(), c10::TensorType::get());
  SharedValues shared;
  auto typed = to_typed(value, nullptr, shared);
  std::set<const void*> seen;
  // TorchScript takes a dtype for an int, so that it would not be one when it is read.
  if (!typed || holds_dtype(value, seen)) return std::nullopt;
  return std::move(typed->value);
}

Value to_python(const c10::IValue& value) {
  const auto converted = [](const auto& items) {
    Values values;
    for (const auto& item : items) values.push_back(to_python(item));
    return values;
  };
  if (value.isTuple() && *value.type() == *dtype_type())
    return Dtype{static_cast<c10::ScalarType>(value.toTupleRef().elements()[0].toInt())};
  if (value.isTuple()) return make_tuple(converted(value.toTupleRef().elements()));
  if (value.isList()) return make_list(converted(value.toListRef()));
  if (!value.isGenericDict()) return to_value(value);
  auto dict = std::make_shared<Dict>();
  for (const auto& entry : value.toGenericDict())
    dict->items.emplace_back(to_python(entry.key()), to_python(entry.value()));
  return dict;
}

}  // namespace knead::engine::model
