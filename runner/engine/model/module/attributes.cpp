#include "runner/engine/model/module/attributes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>

#include "runner/engine/model/module/scripted.h"
#include "runner/engine/model/module/tensor_references.h"
#include "schema/document/error.h"

namespace knead::engine::model {
namespace {

using c10::TypeKind;
using c10::TypePtr;
using nlohmann::json;
using torch::jit::Module;

/// --- finding attributes

/// The class and name of attributes that a method assigns, as in self.calls += 1.
using Assigned = std::set<std::pair<const c10::Type*, std::string>>;

void collect_assigned(const torch::jit::Block& block, Assigned& assigned) {
  for (const torch::jit::Node* node : block.nodes()) {
    for (const torch::jit::Block* inner : node->blocks()) collect_assigned(*inner, assigned);
    if (node->kind() != c10::prim::SetAttr) continue;
    assigned.emplace(node->input(0)->type().get(), node->s(c10::attr::name));
  }
}

/// Returns whether a checkpoint can hold values of a type.
bool can_keep(const c10::Type& type) {
  switch (type.kind()) {
    case TypeKind::TensorType:
    case TypeKind::IntType:
    case TypeKind::FloatType:
    case TypeKind::BoolType:
    case TypeKind::StringType:
    case TypeKind::NoneType: return true;
    case TypeKind::OptionalType:
    case TypeKind::ListType:
    case TypeKind::DictType:
    case TypeKind::TupleType: break;
    default: return false;
  }
  const auto inner = type.containedTypes();
  return std::all_of(inner.begin(), inner.end(), [](const auto& one) { return can_keep(*one); });
}

/// Returns whether a value of the type can change without an assignment: lists, dicts and tensors,
/// also nested.
bool can_change_in_place(const c10::Type& type) {
  if (type.kind() == TypeKind::ListType || type.kind() == TypeKind::DictType) return true;
  if (type.kind() == TypeKind::TensorType) return true;
  const auto inner = type.containedTypes();
  return std::any_of(inner.begin(), inner.end(),
                     [](const auto& one) { return can_change_in_place(*one); });
}

using Place = Model::Parts::AttributePlace;

/// Finds every attribute of a module and its submodules that can change, except parameters and
/// buffers. A tensor that is neither, and never None, counts as a buffer.
class Places {
 public:
  static std::vector<Place> in(const Module& module) {
    Places places;
    places.find_assigned(module);
    // The second pass visits the same modules: it needs the assignments of all classes.
    places.visited_.clear();
    places.add(module, "");
    return std::move(places.found_);
  }

 private:
  void find_assigned(const Module& module) {
    if (!visited_.insert(module._ivalue().get()).second) return;
    for (torch::jit::Function* method : module.type()->methods()) {
      collect_assigned(*torch::jit::toGraphFunction(*method).graph()->block(), assigned_);
    }
    for (const Module& child : module.children()) find_assigned(child);
  }

  void add(const Module& module, const std::string& prefix) {
    if (!visited_.insert(module._ivalue().get()).second) return;
    const auto type = module.type();
    for (std::size_t i = 0; i < type->numAttributes(); ++i) {
      const TypePtr& attribute = type->getAttribute(i);
      const std::string& name = type->getAttributeName(i);
      if (attribute->is_module()) {
        add(module._ivalue()->getSlot(i).toModule(), prefix + name + ".");
        continue;
      }
      if (is_weight(*type, i)) continue;
      const bool changes =
          assigned_.contains({type.get(), name}) || can_change_in_place(*attribute);
      if (!changes || !can_keep(*attribute)) continue;
      found_.push_back({prefix + name, module._ivalue(), i, attribute});
    }
  }

  Assigned assigned_;
  std::set<const void*> visited_;
  std::vector<Place> found_;
};

/// --- writing

/// Returns a number as JSON; JSON has no NaN and no infinity, so these become texts.
json number_of(double value) {
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf";
}

/// Writes a value; a dict becomes the list key, value, key, …, because JSON keys are texts only.
json written(const c10::IValue& value, const std::string& name, TensorWriter& tensors) {
  if (value.isNone()) return nullptr;
  if (value.isBool()) return value.toBool();
  if (value.isInt()) return value.toInt();
  if (value.isDouble()) return number_of(value.toDouble());
  if (value.isString()) return value.toStringRef();
  if (value.isTensor()) return tensors.reference(value.toTensor(), name);
  json items = json::array();
  const auto add = [&](const c10::IValue& item) {
    items.push_back(written(item, fmt::format("{}.{}", name, items.size()), tensors));
  };
  if (value.isGenericDict()) {
    for (const auto& entry : value.toGenericDict()) {
      add(entry.key());
      add(entry.value());
    }
  } else if (value.isTuple()) {
    for (const c10::IValue& item : value.toTupleRef().elements()) add(item);
  } else {
    for (const c10::IValue& item : value.toListRef()) add(item);
  }
  return items;
}

/// --- reading

/// Returns the number that number_of() wrote.
double number_in(const json& value) {
  if (value == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (value == "inf") return std::numeric_limits<double>::infinity();
  if (value == "-inf") return -std::numeric_limits<double>::infinity();
  return value.get<double>();
}

/// Returns the items of a list, a dict or a tuple.
const json::array_t& items_in(const json& value) { return value.get_ref<const json::array_t&>(); }

/// Reads a value of a type; the inverse of written(). Throws json::exception for a value of another
/// type.
c10::IValue read(const json& value, const TypePtr& type, const TensorReader& tensors) {
  if (const auto optional = type->cast<c10::OptionalType>()) {
    return value.is_null() ? c10::IValue() : read(value, optional->getElementType(), tensors);
  }
  switch (type->kind()) {
    case TypeKind::TensorType: return tensors.tensor(value);
    case TypeKind::IntType: return value.get<std::int64_t>();
    case TypeKind::FloatType: return number_in(value);
    case TypeKind::BoolType: return value.get<bool>();
    case TypeKind::StringType: return value.get<std::string>();
    case TypeKind::NoneType: return c10::IValue();
    default: break;
  }
  if (const auto list = type->cast<c10::ListType>()) {
    c10::impl::GenericList items(list->getElementType());
    for (const json& item : items_in(value)) {
      items.push_back(read(item, list->getElementType(), tensors));
    }
    return items;
  }
  if (const auto dict = type->cast<c10::DictType>()) {
    c10::impl::GenericDict items(dict->getKeyType(), dict->getValueType());
    for (std::size_t i = 0; i + 1 < items_in(value).size(); i += 2) {
      items.insert(read(value[i], dict->getKeyType(), tensors),
                   read(value[i + 1], dict->getValueType(), tensors));
    }
    return items;
  }
  std::vector<c10::IValue> items;
  const auto types = type->expectRef<c10::TupleType>().elements();
  for (std::size_t i = 0; i < types.size(); ++i) {
    items.push_back(read(value.at(i), types[i], tensors));
  }
  return c10::ivalue::Tuple::create(std::move(items));
}

/// Reads the value of an attribute; throws knead::Error if it has another type than in the model.
c10::IValue read_attribute(const Place& place, const json& value, const TensorReader& tensors) {
  try {
    return read(value, place.type, tensors);
  } catch (const json::exception&) {
    throw Error(fmt::format("the '{}' of the checkpoint is not of the type {}", place.name,
                            place.type->annotation_str()),
                "it belongs to another model");
  }
}

/// Writes into the existing list or dict, because other attributes may refer to the same object.
void put(const Place& place, const c10::IValue& value) {
  const c10::IValue there = place.object->getSlot(place.slot);
  if (place.type->kind() == TypeKind::ListType) {
    auto list = there.toList();
    list.clear();
    for (const c10::IValue& item : value.toListRef()) list.push_back(item);
  } else if (place.type->kind() == TypeKind::DictType) {
    auto dict = there.toGenericDict();
    dict.clear();
    for (const auto& entry : value.toGenericDict()) dict.insert(entry.key(), entry.value());
  } else {
    place.object->setSlot(place.slot, value);
  }
}

/// Returns the parameters and buffers of a model; most tensors in lists are among them.
NamedTensors weights_of(const Model& model) {
  NamedTensors weights = model.parameters();
  for (const Buffer& buffer : model.buffers()) weights.push_back({buffer.name, buffer.tensor});
  return weights;
}

}  // namespace

std::vector<Place> find_attributes(const Module& module) { return Places::in(module); }

bool is_weight(const c10::ClassType& type, std::size_t slot) {
  return type.getAttribute(slot)->kind() == TypeKind::TensorType || type.is_parameter(slot) ||
         type.is_buffer(slot);
}

Attributes Model::attributes() const {
  Attributes all;
  TensorWriter tensors(weights_of(*this));
  for (const Place& place : parts_->attributes) {
    all.values[place.name] = written(place.object->getSlot(place.slot), place.name, tensors);
  }
  all.tensors = tensors.take();
  return all;
}

void Model::set_attributes(const Attributes& attributes) {
  if (parts_->attributes.empty()) return;
  const TensorReader tensors(weights_of(*this), attributes.tensors);
  for (const Place& place : parts_->attributes) {
    const auto value = attributes.values.find(place.name);
    if (value == attributes.values.end()) {
      throw Error(fmt::format("the checkpoint has no '{}'", place.name),
                  "it belongs to another model");
    }
    put(place, read_attribute(place, *value, tensors));
  }
}

Backup Model::backup() const {
  // The list of parameters need not be copied where there is nothing to back up.
  if (parts_->buffer_slots.empty() && parts_->attributes.empty()) return Backup({});
  std::vector<at::Tensor> parameters;
  for (const NamedTensor& each : parts_->parameters) parameters.push_back(each.tensor);
  Backup backup(std::move(parameters));
  for (const auto& [object, slot] : parts_->buffer_slots) backup.add(object, slot);
  for (const Place& place : parts_->attributes) backup.add(place.object, place.slot);
  return backup;
}

}  // namespace knead::engine::model
