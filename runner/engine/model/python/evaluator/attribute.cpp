#include <algorithm>

#include <fmt/format.h>

#include "runner/engine/model/operators/dispatch.h"
#include "runner/engine/model/operators/tensors.h"
#include "runner/engine/model/python/evaluator/evaluator.h"
#include "runner/engine/model/python/evaluator/module.h"
#include "runner/engine/model/python/evaluator/module_parts.h"
#include "runner/engine/model/python/evaluator/native.h"
#include "runner/engine/model/python/evaluator/records.h"
#include "runner/engine/model/python/evaluator/settings.h"
#include "runner/engine/model/python/words/missing_names.h"
#include "runner/engine/model/python/words/numpy_names.h"
#include "runner/syntax/names/absent_modules.h"
#include "schema/document/suggest.h"

namespace knead::engine::model {
namespace {

/// Returns a method that is bound to an object or a class.
Value bound(const Value& self, const Value& function) {
  return std::make_shared<BoundMethod>(BoundMethod{self, function});
}

/// Returns a member of a class as an attribute of an object: functions are bound, properties are
/// called.
Value of_object(Evaluator& evaluator, const Value& self, const std::shared_ptr<Class>& type,
                const Value& member) {
  if (const auto* builtin = as<Builtin>(member)) {
    if ((*builtin)->is_property) return evaluator.call(member, {{self}, {}});
    // A function of torch in a class body is not bound, as in Python: `activation = torch.tanh`.
    return (*builtin)->name.starts_with("torch.") ? member : bound(self, member);
  }
  const auto* function = as<Function>(member);
  if (function == nullptr) return member;
  switch ((*function)->kind) {
    case Function::Kind::plain: return bound(self, member);
    case Function::Kind::static_: return member;
    case Function::Kind::class_: return bound(type, member);
    case Function::Kind::property: return evaluator.call(member, {{self}, {}});
  }
  return member;
}

/// Returns a member as an attribute of the class itself; only class methods are bound.
Value of_class(const std::shared_ptr<Class>& type, const Value& member) {
  const auto* function = as<Function>(member);
  const bool takes_class = function != nullptr && (*function)->kind == Function::Kind::class_;
  return takes_class ? bound(type, member) : member;
}

bool is_property(const Value* member) {
  const auto* function = member == nullptr ? nullptr : as<Function>(*member);
  return function != nullptr && (*function)->kind == Function::Kind::property;
}

/// Looks up in the order of Python: properties, attributes of the object, members of the class,
/// parts of a module, __getattr__.
std::optional<Value> find_in_object(Evaluator& evaluator, const std::shared_ptr<Object>& object,
                                    const std::string& name) {
  const std::shared_ptr<Class>& type = object->type;
  evaluator.spend(static_cast<std::int64_t>(object->attributes.size() / 16));
  if (name == "__class__") return type;
  if (name == "__dict__" && (is_of_source(*type) || is_settings(object)))
    return attributes_as_dict(object);
  const Value* member = type->find(name);
  if (is_property(member)) return of_object(evaluator, object, type, *member);
  for (const auto& [there, value] : object->attributes) {
    if (there == name) return value;
  }
  if (type->is_module && name == "training") return object->training;
  if (member != nullptr) return of_object(evaluator, object, type, *member);
  if (type->is_module) {
    if (std::optional<Value> found = find_in_module(*object, name)) return found;
    if (std::optional<Value> parts = parts_of(object, name)) return parts;
  }
  if (const Value* rule = type->find("__getattr__"); rule != nullptr && as<Function>(*rule)) {
    return evaluator.call_unless("AttributeError", object, "__getattr__", {name});
  }
  return std::nullopt;
}

std::optional<Value> find_in_object(const std::shared_ptr<Class>& type, const std::string& name) {
  // The name of a built-in class begins with its module, as in messages: "numpy.float32".
  if (name == "__name__" || name == "__qualname__") {
    return type->file ? type->name : type->name.substr(type->name.rfind('.') + 1);
  }
  if (name == "__module__" && type->file) return type->file->module;
  const Value* member = type->find(name);
  return member == nullptr ? std::nullopt : std::optional(of_class(type, *member));
}

std::optional<Value> find_in_object(Evaluator& evaluator, const Super& super,
                                    const std::string& name) {
  const auto* object = as<Object>(super.self);
  const auto* self_type = as<Class>(super.self);
  const std::shared_ptr<Class> type = object ? (*object)->type : *self_type;
  auto place = std::find(type->order.begin(), type->order.end(), super.after);
  if (place != type->order.end()) ++place;
  for (; place != type->order.end(); ++place) {
    for (const auto& [there, member] : (*place)->members) {
      if (there != name) continue;
      return object ? of_object(evaluator, super.self, type, member) : of_class(type, member);
    }
  }
  if (name == "__init_subclass__") return evaluator.global("object.__init_subclass__");
  return std::nullopt;
}

std::optional<Value> find_in_object(Evaluator& evaluator, const Namespace& names,
                                    const std::string& name) {
  if (name == "__name__") return names.name;
  if (names.file) evaluator.need(*names.file, {name});
  if (const Value* value = names.names->find(name)) return *value;
  // A module below, such as torch.nn.utils, need not be imported by itself.
  if (!names.file && names.available) {
    if (auto below = evaluator.module(names.name + "." + name)) return below;
  }
  const std::string full = names.operator_prefix + name;
  if (names.has_operators && is_operator(full)) return evaluator.known_operator(names.name, full);
  return std::nullopt;
}

/// Returns attributes of a device or a dtype.
std::optional<Value> find_in_plain(const Value& of, const std::string& name) {
  if (const auto* device = std::get_if<Device>(&of)) {
    if (name == "type") return c10::DeviceTypeName(device->device.type(), /*lower_case=*/true);
    // The CPU has no index.
    if (name == "index") return None{};
  }
  if (const auto* dtype = std::get_if<Dtype>(&of)) {
    if (name == "is_floating_point") return c10::isFloatingType(dtype->type);
    if (name == "itemsize") return static_cast<std::int64_t>(c10::elementSize(dtype->type));
  }
  return std::nullopt;
}

void add_value_names(const NamedValues& values, std::vector<std::string_view>& names) {
  for (const auto& entry : values) names.push_back(entry.first);
}

std::vector<std::string_view> attribute_names(Evaluator& evaluator, const Value& of) {
  std::vector<std::string_view> names;
  if (const auto* space = as<Namespace>(of)) {
    add_value_names((*space)->names->names, names);
    return names;
  }
  if (const auto* object = as<Object>(of)) {
    add_value_names((*object)->attributes, names);
    for (const Slot& slot : (*object)->parameters) names.push_back(slot.name);
    for (const Slot& slot : (*object)->buffers) names.push_back(slot.name);
    for (const auto& child : (*object)->modules) names.push_back(child.first);
  }
  const auto* self = as<Class>(of);
  const auto type = self != nullptr ? *self : evaluator.type_of(of);
  for (const auto& base : type->order) add_value_names(base->members, names);
  return names;
}

/// Returns a remedy for an unknown attribute: a known replacement, or a similar name. LibTorch
/// operators count as names of torch and of tensors.
std::string remedy_for(const Value& of, const std::string& name,
                       const std::vector<std::string_view>& known) {
  const auto* space = as<Namespace>(of);
  if (space && (*space)->name == "torch") {
    if (auto remedy = syntax::known_module("torch." + name); !remedy.empty()) return remedy;
  }
  // np.float and np.int were names of NumPy once.
  if (space && (*space)->name == "numpy" && (name == "float" || name == "int")) {
    return syntax::known_module("numpy." + name);
  }
  if (is_settings(of)) {
    std::vector<std::string_view> keys;
    add_value_names(entries_of(of), keys);
    const std::string all = fmt::format("it has {}", fmt::join(keys, ", "));
    return schema::did_you_mean(name, keys, keys.empty() ? "it is empty" : all);
  }
  const auto* dict = as<Dict>(of);
  const bool is_key =
      dict && std::any_of((*dict)->items.begin(), (*dict)->items.end(), [&](auto& item) {
        const auto* key = std::get_if<std::string>(&item.first);
        return key != nullptr && *key == name;
      });
  if (is_key) return fmt::format("write ['{}'], or annotate the argument with its class", name);
  const std::string near = schema::did_you_mean(name, known);
  const bool has_operators = is_tensor(of) || (space && (*space)->has_operators);
  if (!near.empty() || !has_operators) return near;
  const auto operators = operator_names();
  return schema::did_you_mean(name, {operators.begin(), operators.end()});
}

/// Returns a value as a message names it: "module 'torch'", "'int' object".
std::string described(const Value& of) {
  if (const auto* names = as<Namespace>(of)) return fmt::format("module '{}'", (*names)->name);
  if (const auto* type = as<Class>(of)) return fmt::format("type object '{}'", (*type)->name);
  return fmt::format("'{}' object", type_name(of));
}

[[noreturn]] void refuse_name(const std::string& name, const std::string& remedy) {
  throw Mistake(fmt::format("'{}' is not available to models", name), remedy);
}

}  // namespace

std::optional<Value> Evaluator::find_attribute(const Value& of, const std::string& name) {
  if (is_hidden(name)) return std::nullopt;
  if (const auto* object = as<Object>(of)) return find_in_object(*this, *object, name);
  if (const auto* type = as<Class>(of)) return find_in_object(*type, name);
  if (const auto* super = as<Super>(of)) return find_in_object(*this, **super, name);
  if (const auto* names = as<Namespace>(of)) return find_in_object(*this, **names, name);
  if (const Function* function = function_of(of); function != nullptr) {
    if (name == "__name__" || name == "__qualname__") return function->name;
    if (name == "__module__") return function->file->module;
  }
  if (const auto* tensor = std::get_if<at::Tensor>(&of)) {
    if (std::optional<Value> found = find_in_tensor(*tensor, name)) return found;
  }
  if (std::optional<Value> found = find_in_plain(of, name)) return found;
  if (const auto* tuple = as<Tuple>(of)) {
    const auto& names = (*tuple)->names;
    const auto found = std::find(names.begin(), names.end(), name);
    const auto place = static_cast<std::size_t>(found - names.begin());
    if (found != names.end()) return (*tuple)->items[place];
  }
  if (name == "__class__") return type_of(of);
  const auto type = type_of(of);
  if (const Value* member = type->find(name)) return of_object(*this, of, type, *member);
  // Own methods of Tensor come before the operators, because some differ from the operator of their
  // name.
  if (is_tensor(of) && is_operator(name)) return bound(of, operator_of(*this, "Tensor", name));
  return std::nullopt;
}

Value Evaluator::attribute(const Value& of, const std::string& name) {
  if (std::optional<Value> found = find_attribute(of, name)) return available(*found);
  if (const auto* space = as<Namespace>(available(of))) {
    const std::string full = (*space)->name + "." + name;
    if (is_name_of_numpy(full)) refuse_name(full, syntax::known_module(full));
    const bool is_other = full.starts_with("torchvision.") || full.starts_with("scipy.");
    if (is_other || is_of_standard_library(full)) refuse_name(full, syntax::instead_of(full));
  }
  const std::string message = fmt::format("{} has no attribute '{}'", described(of), name);
  const std::string remedy = remedy_for(of, name, attribute_names(*this, of));
  // Values of other types may have the attribute in Python.
  const bool is_certain = as<Object>(of) || is_none(of) || is_number(of);
  if (is_certain) throw Mistake::of("AttributeError", message, remedy);
  throw Mistake(message, remedy);
}

void Evaluator::set_attribute(const Value& of, const std::string& name, Value value) {
  if (is_hidden(name)) throw Mistake("a name of an attribute cannot begin with '@'");
  if (const auto* object = as<Object>(of)) {
    const auto& type = (*object)->type;
    spend(static_cast<std::int64_t>((*object)->attributes.size() / 16));
    if (name == "__class__" && as<Class>(value)) {
      expect_same_layout(*type, **as<Class>(value));
      (*object)->type = std::get<std::shared_ptr<Class>>(value);
      return;
    }
    if (is_property(type->find(name))) {
      if (const Value* setter = type->find(setter_of(name))) {
        call(*setter, {{of, std::move(value)}, {}});
        return;
      }
      throw Mistake(fmt::format("property '{}' of '{}' object has no setter", name, type->name));
    }
    if (type->is_frozen) throw Mistake(fmt::format("cannot assign to field '{}'", name));
    if (type->is_module) return set_in_module(*this, **object, name, std::move(value));
    return set_plain_attribute(**object, name, std::move(value));
  }
  if (const auto* tensor = std::get_if<at::Tensor>(&of)) {
    return set_in_tensor(*tensor, name, value);
  }
  if (const auto* type = as<Class>(of); type != nullptr && (*type)->file != nullptr) {
    auto& members = (*type)->members;
    spend(static_cast<std::int64_t>(members.size() / 16));
    Value* member = find_named(members, name);
    if (!member) member = &members.emplace_back(name, None{}).second;
    *member = std::move(value);
    return;
  }
  // `nn.MaskedLinear = MaskedLinear` adds a name to the torch.nn of this model.
  if (const auto* names = as<Namespace>(of)) return (*names)->names->set(name, std::move(value));
  if (as<Array>(of)) {
    if (const Value* setter = type_of(of)->find(setter_of(name))) {
      call(*setter, {{of, std::move(value)}, {}});
      return;
    }
  }
  throw Mistake(fmt::format("{} cannot be given the attribute '{}'", described(of), name));
}

void Evaluator::delete_attribute(const Value& of, const std::string& name) {
  const auto* object = is_hidden(name) ? nullptr : as<Object>(of);
  if (object != nullptr && remove_from_module(**object, name)) return;
  throw Mistake(fmt::format("{} has no attribute '{}'", described(of), name));
}

}  // namespace knead::engine::model
