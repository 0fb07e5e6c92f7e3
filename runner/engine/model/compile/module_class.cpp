#include <fmt/format.h>

#include <algorithm>

#include "runner/engine/model/compile/annotation.h"
#include "runner/engine/model/compile/compiler.h"
#include "runner/engine/model/values/nesting.h"
#include "runner/engine/model/values/walk.h"

namespace knead::engine::model {
namespace {

/// Returns whether an assignment target is `self.name`.
bool is_name_of(const syntax::Expression& target, const std::string& self,
                const std::string& name) {
  const auto* attribute = std::get_if<syntax::Attribute>(&target.kind);
  const auto* object = attribute ? std::get_if<syntax::Name>(&attribute->value->kind) : nullptr;
  return object && attribute->name == name && object->id == self;
}

/// Returns a text that is equal for two configurations if a method compiles to the same code for
/// both.
std::string settings_text(const Dict& dict) {
  std::string text = "{";
  for (const auto& [key, value] : dict.items) {
    const auto* inner = as<Dict>(value);
    text +=
        constant_text(key) + ":" + (inner ? settings_text(**inner) : constant_text(value)) + ",";
  }
  return text + "}";
}

/// Returns a text with the keys and the values of a dict. Methods that are given a dict with `**`
/// are compiled for its keys, and those of layers for its values. Objects, and dicts in a dict that
/// is no configuration, count by their address.
std::string dict_text(const Dict& dict) {
  if (are_settings(dict)) return settings_text(dict);
  std::string text = "{";
  for (const auto& [key, value] : dict.items) {
    text += constant_text(key) + ":" + constant_text(value) + ",";
  }
  return text + "}";
}

}  // namespace

std::string constant_text(const Value& value) {
  if (std::holds_alternative<ArrayScalar>(value)) {
    return type_name(value) + constant_text(plain(value));
  }
  if (is_none(value)) return "None";
  if (const auto* item = std::get_if<bool>(&value)) return *item ? "True" : "False";
  if (const auto* item = std::get_if<std::int64_t>(&value)) return std::to_string(*item);
  // Hexadecimal keeps every bit: two floats with one text are equal.
  if (const auto* item = std::get_if<double>(&value)) return fmt::format("{:a}", *item);
  if (const auto* item = std::get_if<std::string>(&value)) return fmt::format("'{}'", *item);
  if (const auto* item = std::get_if<Dtype>(&value)) {
    return fmt::format("dtype{}", static_cast<int>(item->type));
  }
  if (const auto* tuple = as<Tuple>(value); tuple && is_small(value)) {
    std::string text = "(";
    for (const Value& item : (*tuple)->items) text += constant_text(item) + ",";
    return text + ")";
  }
  return fmt::format("at {}", address_of(value));
}

// Any method of the class or of its bases may contain the annotated assignment `self.cache:
// Optional[Tensor] = None`.
c10::TypePtr Compiler::declared_type(const Object& object, const std::string& name) const {
  for (const auto& base : object.type->order) {
    for (const auto& [member_name, member] : base->members) {
      const auto* function = as<Function>(member);
      if (!function || !(*function)->definition) continue;
      const auto& parameters = (*function)->definition->parameters;
      if (parameters.empty()) continue;
      c10::TypePtr found;
      for_each_statement((*function)->definition->body, [&](const syntax::Statement& statement) {
        const auto* assign = std::get_if<syntax::AnnotatedAssign>(&statement.kind);
        if (found || !assign || !is_name_of(assign->target, parameters[0].name, name)) return;
        found = type_of_annotation(assign->annotation, find_name(**function));
      });
      if (found) return found;
    }
  }
  return nullptr;
}

// The module stores what methods assign, and tensors, lists and dicts; the code holds all other
// attributes.
bool Compiler::is_slot(const Object& object, const std::string& name, const Value& value) const {
  return is_tensor(value) || as<List>(value) || as<Dict>(value) ||
         changes_.changes(*object.type, name);
}

// Modules with one key share a class and its compiled methods, so the key holds all that the code
// can depend on: names, constants, types of stored attributes, classes of children.
std::string Compiler::key_of(const Object& object) {
  std::string key = fmt::format("{}", static_cast<const void*>(object.type.get()));
  for (const auto* slots : {&object.parameters, &object.buffers}) {
    for (const Slot& slot : *slots) {
      key += fmt::format(";{}{}{}", slot.name, slot.tensor ? "" : "=None",
                         slot.persistent ? "" : " not persistent");
    }
  }
  for (const auto& [name, module] : object.modules) {
    const ModuleClass* type = module ? class_for(module) : nullptr;
    key += fmt::format(";{}: {}", name, static_cast<const void*>(type));
  }
  for (const auto& [name, value] : object.attributes) {
    if (!is_slot(object, name, value)) {
      key += fmt::format(";{}={}", name, constant_text(value));
      continue;
    }
    const auto typed = to_typed(value, declared_type(object, name), shared_);
    key += fmt::format(";{}: {}", name, typed ? typed->type->repr_str() : "nothing");
    const auto* dict = as<Dict>(value);
    if (dict && is_small(value)) key += dict_text(**dict);
  }
  return key;
}

ModuleClass* Compiler::class_for(const std::shared_ptr<Object>& object) {
  auto& type = classes_[key_of(*object)];
  if (type) return type.get();
  // The key contains addresses, so the object must live as long as the keys.
  kept_.push_back(object);
  type = std::make_unique<ModuleClass>();
  type->example = object;
  const auto name =
      unit_->mangle(c10::QualifiedName(qualified_name(object->type->file, object->type->name)));
  type->type = c10::ClassType::create(name, unit_, /*is_module=*/true);
  unit_->register_type(type->type);
  by_type_.emplace(type->type.get(), type.get());
  return type.get();
}

ModuleClass* Compiler::class_of(const jit::Value* value) const {
  const auto found = by_type_.find(value->type().get());
  return found == by_type_.end() ? nullptr : found->second;
}

void Compiler::add_attributes(jit::Module& module, const Object& object) {
  const auto add = [&](const std::string& name, const Value& value) {
    c10::TypePtr declared = declared_type(object, name);
    if (!declared && is_none(value)) {
      declared = c10::OptionalType::create(c10::TensorType::get());
    }
    // An attribute without a TorchScript type is left out; only its use in a method is an error.
    const auto typed = to_typed(value, declared, shared_);
    if (typed) module.register_attribute(name, typed->type, typed->value);
  };
  for (const auto& [name, value] : object.attributes) {
    if (is_slot(object, name, value)) add(name, value);
  }
  // A class constant that a method assigns through self becomes an attribute of the object, as in
  // Python.
  for (const auto& base : object.type->order) {
    for (const auto& [name, value] : base->members) {
      const bool is_plain = is_none(value) || is_number(value) || is_text(value);
      if (is_plain && changes_.changes(*object.type, name) && !module.hasattr(name)) {
        add(name, value);
      }
    }
  }
}

void Compiler::add_slots(jit::Module& module, const Object& object) {
  module.register_attribute("training", c10::BoolType::get(), object.training);
  for (const Slot& slot : object.parameters) {
    if (slot.tensor) module.register_parameter(slot.name, *slot.tensor, /*is_buffer=*/false);
  }
  for (const Slot& slot : object.buffers) {
    if (!slot.tensor) continue;
    // TorchScript has no non-persistent buffers: such a tensor becomes a plain attribute.
    if (slot.persistent) {
      module.register_buffer(slot.name, *slot.tensor);
    } else {
      module.register_attribute(slot.name, c10::TensorType::get(), *slot.tensor);
    }
  }
  for (const auto& [name, child] : object.modules) {
    if (child) module.register_module(name, module_of(child));
  }
  add_attributes(module, object);
}

jit::Module Compiler::module_of(const std::shared_ptr<Object>& object) {
  if (const auto found = modules_.find(object.get()); found != modules_.end()) {
    return found->second;
  }
  jit::Module module(unit_, class_for(object)->type);
  add_slots(module, *object);
  modules_.emplace(object.get(), module);
  return module;
}

}  // namespace knead::engine::model
