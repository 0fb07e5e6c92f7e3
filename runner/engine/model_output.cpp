#include "runner/engine/model_output.h"

#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/core/ivalue_inl.h>
#include <ATen/core/jit_type.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runner/syntax/refusal.h"
#include "schema/error.h"

namespace knead::engine {
namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& remedy) {
  throw Error(what, remedy);
}

std::string keys_of(const c10::IValue& dict) {
  std::vector<std::string> keys;
  for (const auto& entry : dict.toGenericDict())
    keys.push_back(entry.key().isString() ? "'" + entry.key().toStringRef() + "'"
                                          : entry.key().type()->annotation_str());
  return fmt::format("{}", fmt::join(keys, ", "));
}

/// "a tuple of 2", "a dict with the keys 'logits', 'hidden'", "an int".
std::string in_words(const c10::IValue& value) {
  if (value.isTuple()) return fmt::format("a tuple of {}", value.toTupleRef().elements().size());
  if (value.isList()) return fmt::format("a list of {}", value.toListRef().size());
  if (value.isGenericDict()) return "a dict with the keys " + keys_of(value);
  if (value.isNone()) return "None";
  return fmt::format("a value of type {}", value.type()->annotation_str());
}

std::string example_of(const c10::IValue& value) {
  if (value.isGenericDict()) return "write the key that the loss is to see as model.output";
  if (value.isTuple() || value.isList())
    return "write the index that the loss is to see, model.output: 0";
  return "forward must return a tensor, or a tuple or dict that holds it";
}

at::Tensor as_tensor(const c10::IValue& value, const std::string& name) {
  if (value.isTensor()) return value.toTensor();
  refuse(fmt::format("{} is {}, not a tensor", name, in_words(value)),
         name == "what forward returns" ? example_of(value) : "choose another in model.output");
}

c10::IValue at_index(const c10::IValue& returned, std::int64_t index) {
  const auto take = [&](const auto& items) -> c10::IValue {
    const auto size = static_cast<std::int64_t>(items.size());
    if (index >= -size && index < size)
      return items[static_cast<std::size_t>(index < 0 ? index + size : index)];
    refuse(fmt::format("model.output is {}, and forward returns {}", index, in_words(returned)),
           "the first is 0");
  };
  if (returned.isTuple()) return take(returned.toTupleRef().elements());
  if (returned.isList()) return take(returned.toListRef());
  refuse(fmt::format("model.output is {}, and forward returns {}", index, in_words(returned)),
         returned.isTensor() ? "take model.output away" : example_of(returned));
}

c10::IValue at_key(const c10::IValue& returned, const std::string& key) {
  if (returned.isGenericDict()) {
    for (const auto& entry : returned.toGenericDict()) {
      if (entry.key().isString() && entry.key().toStringRef() == key) return entry.value();
    }
  }
  refuse(fmt::format("model.output is '{}', and forward returns {}", key, in_words(returned)),
         returned.isTensor() ? "take model.output away" : example_of(returned));
}

at::Tensor picked(const c10::IValue& returned, const OutputKey& key) {
  if (!key) return as_tensor(returned, "what forward returns");
  const std::string name = std::holds_alternative<std::string>(*key)
                               ? fmt::format("forward's output '{}'", std::get<std::string>(*key))
                               : fmt::format("forward's output {}", std::get<std::int64_t>(*key));
  if (const auto* text = std::get_if<std::string>(&*key))
    return as_tensor(at_key(returned, *text), name);
  return as_tensor(at_index(returned, std::get<std::int64_t>(*key)), name);
}

}  // namespace

at::Tensor pick_output(const c10::IValue& returned, const OutputKey& key,
                       const schema::Place& place) {
  try {
    return picked(returned, key);
  } catch (const Error& error) {
    if (!place) throw;
    throw syntax::Refusal("model-failed", place, error.what(), error.remedy());
  }
}

}  // namespace knead::engine
