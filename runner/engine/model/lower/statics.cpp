#include "runner/engine/model/lower/statics.h"

#include <algorithm>

#include "runner/engine/model/python/evaluator/evaluator.h"
#include "runner/engine/model/python/evaluator/settings.h"

namespace knead::engine::model {
namespace {

/// Returns the slot of a name; null if there is none.
const Slot* find_slot(const std::vector<Slot>& slots, const std::string& name) {
  const auto found =
      std::find_if(slots.begin(), slots.end(), [&](const Slot& slot) { return slot.name == name; });
  return found == slots.end() ? nullptr : &*found;
}

bool is_callable_member(const Value& value) { return function_of(value) != nullptr; }

bool are_modules(const Values& values) {
  return !values.empty() && std::all_of(values.begin(), values.end(), [](const Value& value) {
    const auto* object = as<Object>(value);
    return object && (*object)->type->is_module;
  });
}

std::optional<Value> optional_of(const Value* value) {
  return value ? std::optional(*value) : std::nullopt;
}

}  // namespace

Statics::Statics(const Function& function, std::shared_ptr<Object> self, const Changes& changes,
                 Evaluator& python)
    : function_(function),
      python_(python),
      self_(std::move(self)),
      changes_(changes),
      facts_(read_facts(function)) {}

bool Statics::is_local(const std::string& name) const {
  return facts_.assigned.contains(name) || hidden_.contains(name);
}

int Statics::times_assigned(const std::string& name) const {
  const auto found = facts_.assigned.find(name);
  return found == facts_.assigned.end() ? 0 : found->second;
}

void Statics::hide(const std::string& name) {
  // Inside, hidden_ makes the name local, so neither its outer value nor a name of the file is
  // found.
  const auto bound = bound_.find(name);
  hidden_[name].push_back(bound == bound_.end() ? std::nullopt : std::optional(bound->second));
  bound_.erase(name);
}

void Statics::unhide(const std::string& name) {
  auto& before = hidden_.at(name);
  bind(name, before.back());
  before.pop_back();
  if (before.empty()) hidden_.erase(name);
}

void Statics::bind(const std::string& name, std::optional<Value> value) {
  if (value) {
    bound_.insert_or_assign(name, std::move(*value));
  } else {
    bound_.erase(name);
  }
}

const Value* Statics::find_outer(const std::string& name) const {
  for (const Scope* scope = function_.closure.get(); scope; scope = scope->outer.get()) {
    if (const Value* value = const_cast<Scope*>(scope)->find(name)) return value;
  }
  return function_.file->globals->find(name);
}

std::optional<Value> Statics::name(const std::string& id) const {
  if (const auto bound = bound_.find(id); bound != bound_.end()) return bound->second;
  // A local name without a known value must not be looked up in the file.
  if (is_local(id)) return std::nullopt;
  return optional_of(find_outer(id));
}

std::optional<Value> Statics::value(const syntax::Expression& expression) const {
  using namespace syntax;
  const auto& kind = expression.kind;
  if (const auto* node = std::get_if<Name>(&kind)) return name(node->id);
  if (const auto* node = std::get_if<Attribute>(&kind)) {
    const auto of = value(*node->value);
    return of ? attribute(*of, node->name) : std::nullopt;
  }
  if (const auto* node = std::get_if<Call>(&kind)) return call(*node);
  if (const auto* node = std::get_if<Subscript>(&kind)) return subscript(*node);
  if (const auto* node = std::get_if<Comparison>(&kind)) return comparison(*node);
  if (const auto* node = std::get_if<Logical>(&kind)) return logical(*node);
  if (const auto* node = std::get_if<Binary>(&kind)) return binary(*node);
  if (const auto* node = std::get_if<Unary>(&kind)) return unary(*node);
  if (const auto* node = std::get_if<Conditional>(&kind)) {
    const auto holds = truth(*node->condition);
    return holds ? value(*holds ? *node->body : *node->otherwise) : std::nullopt;
  }
  return literal(expression);
}

std::optional<Value> Statics::literal(const syntax::Expression& expression) const {
  using namespace syntax;
  const auto& kind = expression.kind;
  if (const auto* node = std::get_if<Constant>(&kind)) {
    if (*node == Constant::none) return Value(None{});
    // `...` in an index has a node of its own in TorchScript and is not a constant.
    if (*node == Constant::ellipsis) return std::nullopt;
    return Value(*node == Constant::true_);
  }
  if (const auto* node = std::get_if<Integer>(&kind)) {
    return node->value ? std::optional<Value>(*node->value) : std::nullopt;
  }
  if (const auto* node = std::get_if<Float>(&kind)) return Value(node->value);
  if (const auto* node = std::get_if<String>(&kind)) return Value(node->value);
  if (const auto* node = std::get_if<FString>(&kind)) return formatted(*node);
  if (const auto* node = std::get_if<syntax::Tuple>(&kind)) {
    auto items = values(node->items);
    return items ? std::optional(make_tuple(std::move(*items))) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<Values> Statics::values(const syntax::Expressions& expressions) const {
  Values result;
  for (const auto& expression : expressions) {
    auto item = value(expression);
    if (!item) return std::nullopt;
    result.push_back(std::move(*item));
  }
  return result;
}

std::optional<Value> Statics::attribute(const Value& of, const std::string& name) const {
  if (const auto* object = as<Object>(of)) return object_attribute(**object, name);
  if (const auto* names = as<Namespace>(of)) return optional_of((*names)->names->find(name));
  if (const auto* type = as<Class>(of)) {
    const Value* member = (*type)->find(name);
    return member && !is_callable_member(*member) ? std::optional(*member) : std::nullopt;
  }
  return std::nullopt;
}

// Looks in the four lists of the object and then in its class. `training` and attributes that
// methods assign change while the model runs.
std::optional<Value> Statics::object_attribute(const Object& object,
                                               const std::string& name) const {
  if (name == "training" || changes_.changes(*object.type, name)) return std::nullopt;
  if (const auto* module = find_named(object.modules, name)) {
    return make_module(*module);
  }
  for (const auto* slots : {&object.parameters, &object.buffers}) {
    if (const Slot* slot = find_slot(*slots, name)) {
      return slot->tensor ? Value(*slot->tensor) : Value(None{});
    }
  }
  if (const Value* value = find_named(object.attributes, name)) return *value;
  const Value* member = object.type->find(name);
  return member && !is_callable_member(*member) ? std::optional(*member) : std::nullopt;
}

bool Statics::has_attribute(const Object& object, const std::string& name) const {
  return (name == "training" && object.type->is_module) || find_named(object.modules, name) ||
         find_slot(object.parameters, name) || find_slot(object.buffers, name) ||
         find_named(object.attributes, name) || object.type->find(name);
}

bool Statics::has_room_for_code() const {
  constexpr std::int64_t kSteps = 100;  // of 20 million
  return attempt([&]() -> std::optional<Value> {
           python_.spend(kSteps);
           return None{};
         })
      .has_value();
}

std::optional<Values> Statics::items(const Value& value) const {
  // No method can change a list of modules: TorchScript has no type for it.
  if (const auto* list = as<List>(value); list && are_modules((*list)->items))
    return (*list)->items;
  if (const auto* tuple = as<Tuple>(value)) return (*tuple)->items;
  if (const auto* range = as<Range>(value)) {
    constexpr std::int64_t kMost = 4096;  // longer ranges stay loops
    Values result;
    if (length(**range) > kMost) return std::nullopt;
    for (std::int64_t i = 0; i < length(**range); ++i) {
      result.push_back(Value((*range)->begin + i * (*range)->step));
    }
    return result;
  }
  if (is_settings(value)) {
    Values keys;
    for (const auto& entry : entries_of(value)) keys.push_back(entry.first);
    return keys;
  }
  const auto* object = as<Object>(value);
  if (!object || (*object)->type->container == Class::Container::none) return std::nullopt;
  if ((*object)->type->container == Class::Container::parameters) return std::nullopt;
  Values result;
  for (const auto& [name, module] : (*object)->modules) {
    const bool is_dict = (*object)->type->container == Class::Container::dict;
    result.push_back(is_dict ? Value(name) : make_module(module));
  }
  return result;
}

}  // namespace knead::engine::model
