#include "runner/engine/batch/model_output.h"

#include <algorithm>

#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue_inl.h>
#include <ATen/core/jit_type.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace knead::engine {
namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& remedy) {
  throw UnfitOutput(what, remedy);
}

/// Lists the keys of a dict for messages.
std::string keys_of(const c10::IValue& dict) {
  std::vector<std::string> keys;
  for (const auto& entry : dict.toGenericDict())
    keys.push_back(entry.key().isString() ? "'" + entry.key().toStringRef() + "'"
                                          : entry.key().type()->annotation_str());
  return fmt::format("{}", fmt::join(keys, ", "));
}

/// Returns the names of the items of a NamedTuple; empty for other values.
std::vector<std::string> fields_of(const c10::IValue& value) {
  std::vector<std::string> names;
  if (!value.isTuple()) return names;
  const auto type = value.type()->expect<c10::TupleType>();
  if (!type->schema()) return names;
  for (const auto& field : type->schema()->arguments()) names.push_back(field.name());
  return names;
}

/// Describes a value for messages: "a tuple of 2", "a dict with the keys 'logits', 'hidden'".
std::string in_words(const c10::IValue& value) {
  if (const auto fields = fields_of(value); !fields.empty())
    return fmt::format("a tuple with the fields {}", fmt::join(fields, ", "));
  if (value.isTuple()) return fmt::format("a tuple of {}", value.toTupleRef().elements().size());
  if (value.isList()) return fmt::format("a list of {}", value.toListRef().size());
  if (value.isGenericDict()) return "a dict with the keys " + keys_of(value);
  if (value.isNone()) return "None";
  return fmt::format("a value of type {}", value.type()->annotation_str());
}

/// Returns a hint on how to choose a tensor in a value.
std::string example_of(const c10::IValue& value) {
  if (value.isGenericDict()) return "write the key that the loss is to see as model.output";
  if (value.isTuple() || value.isList())
    return "write the index that the loss is to see, model.output: 0";
  return "forward must return a tensor, or a tuple or dict that holds it";
}

/// Returns the tensor in a value. Throws UnfitOutput if the value is not a tensor.
at::Tensor as_tensor(const c10::IValue& value, const std::string& name) {
  if (value.isTensor()) return value.toTensor();
  refuse(fmt::format("{} is {}, not a tensor", name, in_words(value)),
         name == "what forward returns" ? example_of(value) : "choose another in model.output");
}

/// Returns an item of a tuple or list; counts a negative index from the end, as Python does.
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
  // Some models return a tuple while they train, and its first item alone in evaluation.
  if (returned.isTensor() && index == 0) return returned;
  refuse(fmt::format("model.output is {}, and forward returns {}", index, in_words(returned)),
         returned.isTensor() ? "take model.output away" : example_of(returned));
}

/// Returns the value of a dict's key or of a NamedTuple's field.
c10::IValue at_key(const c10::IValue& returned, const std::string& key) {
  if (returned.isGenericDict()) {
    for (const auto& entry : returned.toGenericDict()) {
      if (entry.key().isString() && entry.key().toStringRef() == key) return entry.value();
    }
  }
  const auto fields = fields_of(returned);
  if (const auto found = std::find(fields.begin(), fields.end(), key); found != fields.end())
    return returned.toTupleRef().elements()[static_cast<std::size_t>(found - fields.begin())];
  refuse(fmt::format("model.output is '{}', and forward returns {}", key, in_words(returned)),
         returned.isTensor() ? "take model.output away" : example_of(returned));
}

}  // namespace

c10::IValue Output::value() const {
  return at_return([&] { return chosen(); });
}

c10::IValue Output::chosen() const {
  if (!key_) return returned_;
  if (const auto* text = std::get_if<std::string>(&*key_)) return at_key(returned_, *text);
  return at_index(returned_, std::get<std::int64_t>(*key_));
}

at::Tensor Output::tensor() const {
  return at_return([&] { return as_tensor(chosen(), name()); });
}

std::pair<at::Tensor, at::Tensor> Output::two(const std::string& asker) const {
  return at_return([&] { return two_of(chosen(), asker); });
}

std::pair<at::Tensor, at::Tensor> Output::two_of(const c10::IValue& all,
                                                 const std::string& asker) const {
  std::vector<c10::IValue> items;
  if (all.isTuple()) items = all.toTupleRef().elements().vec();
  if (all.isList()) items = all.toListRef().vec();
  // A dict is refused too: its order says nothing about which tensor comes first.
  if (items.size() == 2 && items[0].isTensor() && items[1].isTensor())
    return {items[0].toTensor(), items[1].toTensor()};
  refuse(fmt::format("{} is {}: {} needs a tuple of two tensors", name(),
                     all.isTensor() ? "a tensor" : in_words(all), asker),
         "return both from forward: return first, second");
}

std::string Output::name() const {
  if (!key_) return "what forward returns";
  if (const auto* text = std::get_if<std::string>(&*key_))
    return fmt::format("forward's output '{}'", *text);
  return fmt::format("forward's output {}", std::get<std::int64_t>(*key_));
}

}  // namespace knead::engine
