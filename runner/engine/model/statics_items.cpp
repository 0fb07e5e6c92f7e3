#include <algorithm>

#include "runner/engine/model/evaluator.h"
#include "runner/engine/model/statics.h"

namespace knead::engine::model {

std::optional<Value> Statics::container_item(const Object& object, const Value& index) const {
  if (object.type->container == Class::Container::dict) {
    const auto* name = std::get_if<std::string>(&index);
    const auto found = std::find_if(object.modules.begin(), object.modules.end(),
                                    [&](const auto& item) { return name && item.first == *name; });
    if (found == object.modules.end() || !found->second) return std::nullopt;
    return Value(found->second);
  }
  if (object.type->container == Class::Container::none || !is_integer(index)) return std::nullopt;
  const auto size = static_cast<std::int64_t>(object.modules.size());
  std::int64_t at = integer_of(index);
  if (at < 0) at += size;
  if (at < 0 || at >= size) return std::nullopt;
  return Value(object.modules[static_cast<std::size_t>(at)].second);
}

std::optional<Values> Statics::items(const Value& value) const {
  if (const auto* tuple = as<Tuple>(value)) return (*tuple)->items;
  if (const auto* range = as<Range>(value)) {
    constexpr std::int64_t kMost = 4096;  // more is a loop
    Values result;
    if (length(**range) > kMost) return std::nullopt;
    for (std::int64_t i = 0; i < length(**range); ++i) {
      result.push_back(Value((*range)->begin + i * (*range)->step));
    }
    return result;
  }
  const auto* object = as<Object>(value);
  if (!object || (*object)->type->container == Class::Container::none) return std::nullopt;
  if ((*object)->type->container == Class::Container::parameters) return std::nullopt;
  Values result;
  for (const auto& [name, module] : (*object)->modules) {
    const bool is_dict = (*object)->type->container == Class::Container::dict;
    result.push_back(is_dict ? Value(name) : module ? Value(module) : Value(None{}));
  }
  return result;
}

}  // namespace knead::engine::model
